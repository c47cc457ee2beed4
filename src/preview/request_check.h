// What a strict proxy passes on, and what it refuses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "preview/message.h"

namespace cordon::preview {

struct Fault {
  std::uint16_t status = 400;
  std::string_view why;
};

// What the Connection fields say.
struct Options {
  bool close = false, keep_alive = false, upgrade = false;
  std::vector<std::string_view> named;  // fields that are for us alone
  // Unset when they name what must be passed on, as who wants to confuse us does.
  static std::optional<Options> Of(const Head& head);
};

// Refuses two lengths, or a length and a coding; codings other than chunked; targets that are no
// path; Host that is missing or not alone; methods that are not for us. Unset: it is good.
std::optional<Fault> CheckRequest(const Head& head);

// The one protocol to which the request wants to change, if it may: none with a body, nor to
// HTTP/2, in which requests would pass us unseen.
std::optional<std::string_view> WantedUpgrade(const Head& head, const Options& options);
// Whether a reply of 101 does what was wanted.
bool IsUpgradedTo(const Head& reply, const Options& options, std::string_view wanted);

// A reply whose end we would see elsewhere than the one who sent it is refused.
bool IsSoundReply(const Head& head);

// Can be sent again when its connection turns out to be dead.
bool IsRepeatable(const Head& head);

}  // namespace cordon::preview
