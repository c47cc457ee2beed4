#include "path/posix.h"

#include <vector>

#include "base/try.h"
#include "path/refusal.h"

namespace cordon::path {

Request TrimTrailing(std::string_view text) {
  Request request;
  while (text.ends_with('/') || text == "." || text.ends_with("/.")) {
    text.remove_suffix(1);
    request.must_be_directory = true;
  }
  request.text = text;
  return request;
}

bool StripRoot(std::string_view text, std::string_view root, std::string_view& rest) {
  Components asked(text);
  Components expected(root);
  for (std::string_view want = expected.Next(); !want.empty(); want = expected.Next()) {
    if (asked.Next() != want) return false;
  }
  rest = root.find_first_not_of('/') == std::string_view::npos ? text : asked.rest();
  while (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
  return true;
}

Result<Request> ParsePosix(std::string_view untrusted, std::span<const std::string> roots) {
  TRY(CheckText(untrusted));
  std::string_view below = untrusted;
  if (untrusted.front() == '/') {
    bool inside = false;
    for (const std::string& root : roots) {
      if (StripRoot(untrusted, root, below)) {
        inside = true;
        break;
      }
    }
    if (!inside) {
      return OutsidePath("/", "an absolute path that is not below the root", Violation::kAbsolute);
    }
  }
  Request request = TrimTrailing(below);
  // Only the file system can tell where a later ".." leads; a leading one leaves.
  if (Components(request.text).Next() == "..") {
    return OutsidePath("..", "\"..\" leads above the root", Violation::kTraversal);
  }
  return request;
}

std::string CollapseLexically(std::string_view text) {
  std::vector<std::string_view> kept;
  Components components(text);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string joined;
  for (const std::string_view part : kept) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

}  // namespace cordon::path
