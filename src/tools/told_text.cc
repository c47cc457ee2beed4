#include "tools/told_text.h"

#include "base/printable.h"
#include "tools/result_object.h"

namespace cordon::tools {

std::string TellText(std::string_view path, const ReadText& text) {
  if (text.total == 0) return "[" + Printable(path) + " is empty]";
  std::string told;
  if (text.first > 1 || text.last < text.total) {
    told += "[Lines " + std::to_string(text.first) + "-" + std::to_string(text.last) + " of " +
            std::to_string(text.total);
    if (text.last < text.total) {
      told += ". To go on: read_file with start_line " + std::to_string(text.last + 1);
    }
    told += "]\n";
  }
  if (text.cut_lines > 0) {
    told += "[" + std::to_string(text.cut_lines) +
            (text.cut_lines == 1 ? " line is" : " lines are") + " cut after 2000 characters]\n";
  }
  return told + ValidUtf8(text.content);
}

}  // namespace cordon::tools
