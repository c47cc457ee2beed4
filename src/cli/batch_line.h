// The lines of a batch, which may be long but not endless.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace cordon::cli {

// A request and its content; more is a mistake or an attack on memory.
inline constexpr std::size_t kMaxBatchLine = 256u << 20;

enum class BatchLine { kRead, kEnd, kTooLong };
// One line, without its end.
BatchLine ReadBatchLine(std::istream& in, std::string& line);

}  // namespace cordon::cli
