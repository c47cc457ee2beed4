#include "tools/parents.h"

#include "base/reversed.h"
#include "base/try.h"

namespace cordon::tools {
namespace {

std::string_view WithoutSlashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

std::string_view ParentOf(std::string_view path) {
  path = WithoutSlashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? path.substr(0, 1) : WithoutSlashes(path.substr(0, slash));
}

std::string_view NameOf(std::string_view path) {
  path = WithoutSlashes(path);
  return path.substr(path.rfind('/') + 1);
}

bool MayHaveBeenDone(const Error& error) { return error.rule == "audit" || error.rule == "undo"; }

MadeParents::~MadeParents() {
  guard::Call back = context_.call;
  back.stop = {};  // they go even if nobody waits for the call any more
  for (const std::string& directory : Reversed(made_)) {
    const Status removed = context_.guard.Remove(back, directory);
    // One that somebody has put something into stays, and those above it.
    if (!removed && removed.error().code != ErrorCode::kNotFound) return;
  }
}

Status MadeParents::Make(std::string_view path) {
  std::vector<std::string> missing;
  for (std::string_view above = ParentOf(path); !above.empty() && above != "/";
       above = ParentOf(above)) {
    const auto there = context_.guard.Stat(context_.Looking(), above);
    if (there) break;
    if (there.error().code != ErrorCode::kNotFound) return there.error();
    missing.emplace_back(above);
  }
  for (std::string& directory : Reversed(missing)) {
    Status made = context_.guard.Mkdir(context_.call, directory);
    if (!made && made.error().code == ErrorCode::kAlreadyExists) continue;
    if (made || MayHaveBeenDone(made.error())) made_.push_back(std::move(directory));
    if (!made) return made;
  }
  return {};
}

}  // namespace cordon::tools
