// New lines with the indentation of the lines they go among, where what was quoted had
// another.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace cordon::tools {

class Reindent {
 public:
  // A line as it was quoted, and the one in the file that was taken for it.
  void Learn(std::string_view quoted, std::string_view found);

  // A new line, indented as the file would: like a quoted line of the same indentation,
  // else like the deepest that it lies in, and deeper by the rest.
  std::string Apply(std::string_view line) const;

 private:
  std::string Deeper(std::string_view rest) const;

  std::map<std::string, std::string, std::less<>> known_;  // quoted to found; the first counts
};

}  // namespace cordon::tools
