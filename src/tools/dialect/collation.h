// Names in the order in which people read them, as Unicode's root collation has it.
#pragma once

#include <string_view>

namespace cordon::tools::dialect {

// Punctuation, digits, letters; without regard to accents and then case unless nothing
// else tells the names apart. Letters beyond Latin come in the order of their numbers,
// which is not in every script that of its readers.
bool ReadsBefore(std::string_view a, std::string_view b);

}  // namespace cordon::tools::dialect
