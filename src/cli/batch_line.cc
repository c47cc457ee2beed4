#include "cli/batch_line.h"

#include <istream>

namespace cordon::cli {

BatchLine ReadBatchLine(std::istream& in, std::string& line) {
  line.clear();
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') return BatchLine::kRead;
    if (line.size() >= kMaxBatchLine) return BatchLine::kTooLong;
    line += static_cast<char>(c);
  }
  return line.empty() ? BatchLine::kEnd : BatchLine::kRead;
}

}  // namespace cordon::cli
