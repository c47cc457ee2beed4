// The POSIX path grammar as pure text: no system call, no allocation.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::path {

// Longest request that is looked at; anything longer is an attack or a mistake.
inline constexpr std::size_t kMaxPathBytes = 64 * 1024;

// Iterates over the components of a path; empty ones and "." are skipped.
// ".." is a component like any other: only the file system knows what it means.
class Components {
 public:
  explicit Components(std::string_view text) : text_(text) {}

  // The next component, or an empty view at the end.
  std::string_view Next() {
    while (position_ < text_.size()) {
      const std::size_t begin = position_;
      std::size_t end = text_.find('/', begin);
      if (end == std::string_view::npos) end = text_.size();
      position_ = end + 1;
      const std::string_view component = text_.substr(begin, end - begin);
      if (component.empty() || component == ".") continue;
      return component;
    }
    return {};
  }

  // What follows the component that Next returned last.
  std::string_view rest() const {
    return position_ < text_.size() ? text_.substr(position_) : std::string_view();
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

// An untrusted path seen from a root.
struct Request {
  std::string_view text;  // below the root; empty: the root itself; no trailing "/" or "/."
  bool must_be_directory = false;  // it ended in "/" or "/."
};

// Reads `untrusted` as a path below the root whose absolute spellings are
// `roots` (no trailing slash). Relative paths are below the root by definition.
// The result views into `untrusted`.
// Errors: kInvalidPath (empty, NUL, longer than kMaxPathBytes),
//   kPathOutsideProject (an absolute path whose components do not begin with a
//   spelling of the root; a path that begins with "..").
Result<Request> ParsePosix(std::string_view untrusted, std::span<const std::string> roots);

// Splits off trailing slashes and "/." parts.
Request TrimTrailing(std::string_view text);

// If the absolute path `text` begins, component by component, with the absolute
// path `root`, sets `rest` to what follows and returns true.
bool StripRoot(std::string_view text, std::string_view root, std::string_view& rest);

// Removes "." and resolves ".." by text alone: right only where no link is.
// Leading ".." that cannot be resolved are kept.
std::string CollapseLexically(std::string_view text);

}  // namespace cordon::path
