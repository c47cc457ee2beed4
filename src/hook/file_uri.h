// "file:" addresses as the paths they stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cordon::hook {

// What `text` may name if it is such an address, in whatever spelling: "file:a", "FILE:/a",
// "file://host/a", with "%41", "?" and "#" taken for what they mean and for themselves. Empty
// if it is none.
std::vector<std::string> PathsOfFileUri(std::string_view text);

}  // namespace cordon::hook
