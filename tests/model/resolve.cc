// How the model finds what a path names: one component after the other.
#include <algorithm>

#include "tests/model/tree.h"

namespace cordon::model {
namespace {

constexpr int kMostLinks = 40;  // as Linux counts them
constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestPath = 64 * 1024;

std::deque<std::string> Split(std::string_view path) {
  std::deque<std::string> parts;
  std::string part;
  for (const char c : std::string(path) + "/") {
    if (c != '/') {
      part += c;
      continue;
    }
    if (!part.empty() && part != ".") parts.push_back(part);
    part.clear();
  }
  return parts;
}

bool EndsAsDirectory(std::string_view path) {
  return path.ends_with("/") || path.ends_with("/.") || path == ".";
}

Answer Refuse(ErrorCode code) { return Answer{{code}, false, {}}; }

// The components of `parts` that are still there once ".." has been applied.
bool AnyDenied(const std::deque<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const auto& part) { return IsDenied(part); });
}

}  // namespace

bool IsDenied(std::string_view component) {
  if (component == ".env.example" || component == ".env.sample" || component == ".env.template") {
    return false;
  }
  return component == ".env" || component.starts_with(".env.") || component == ".ssh" ||
         component == ".git";
}

bool Tree::StripRoot(std::string_view absolute, std::string& rest) const {
  const std::deque<std::string> asked = Split(absolute);
  for (const std::string& spelling : spellings_) {
    const std::deque<std::string> prefix = Split(spelling);
    if (prefix.size() > asked.size()) continue;
    if (!std::equal(prefix.begin(), prefix.end(), asked.begin())) continue;
    rest.clear();
    for (auto part = asked.begin() + static_cast<std::ptrdiff_t>(prefix.size());
         part != asked.end(); ++part) {
      rest += "/" + *part;
    }
    return true;
  }
  return false;
}

Tree::Found Tree::Resolve(std::string_view path, Final final) {
  Found found;
  found.chain = {root_};
  const bool valid =
      !path.empty() && path.size() <= kLongestPath && path.find('\0') == std::string_view::npos;
  if (!valid) {
    found.refusal = Refuse(ErrorCode::kInvalidPath);
    return found;
  }
  found.must_be_directory = EndsAsDirectory(path);
  std::string below(path);
  if (path.front() == '/' && !StripRoot(path, below)) {
    found.refusal = Refuse(ErrorCode::kPathOutsideProject);
    return found;
  }
  std::deque<std::string> pending = Split(below);
  if (!pending.empty() && pending.front() == "..") {
    found.refusal = Refuse(ErrorCode::kPathOutsideProject);
  } else if (AnyDenied(pending)) {
    found.refusal = Refuse(ErrorCode::kPathDenied);
  } else {
    return Walk(std::move(pending), std::move(found), final);
  }
  return found;
}

Tree::Found Tree::Walk(std::deque<std::string> pending, Found found, Final final) {
  int links = 0;
  // A link's text names something denied: all that matters then is whether the
  // way there leads out.
  bool denied = false;
  const auto refuse = [&](ErrorCode code) {
    const bool leaves = code == ErrorCode::kPathOutsideProject;
    found.refusal = Refuse(denied && !leaves ? ErrorCode::kPathDenied : code);
    return found;
  };
  found.node = root_;
  while (!pending.empty()) {
    const std::string part = pending.front();
    pending.pop_front();
    const bool last = pending.empty() && !denied;
    found.name.clear();
    if (part == "..") {
      if (found.chain.size() == 1) return refuse(ErrorCode::kPathOutsideProject);
      found.chain.pop_back();
      found.node = found.chain.back();
      continue;
    }
    if (part.size() > kLongestName) return refuse(ErrorCode::kInvalidPath);
    const auto entry = found.chain.back()->entries.find(part);
    if (entry == found.chain.back()->entries.end()) {
      if (!last) return refuse(ErrorCode::kNotFound);
      found.name = part;
      found.node = nullptr;
      return found;
    }
    const NodePtr node = entry->second;
    if (node->kind == Kind::kLink && !(last && final == Final::kKeep)) {
      if (++links > kMostLinks) return refuse(ErrorCode::kInvalidPath);
      std::string text = node->text;
      if (last && EndsAsDirectory(text)) found.must_be_directory = true;
      if (text.starts_with("/")) {
        if (!StripRoot(text, text)) return refuse(ErrorCode::kPathOutsideProject);
        found.chain.resize(1);
        found.node = root_;
      }
      std::deque<std::string> target = Split(text);
      pending.insert(pending.begin(), target.begin(), target.end());
      if (AnyDenied(pending)) {
        denied = true;
        pending.erase(std::find_if(pending.begin(), pending.end(), IsDenied), pending.end());
      }
      found.node = found.chain.back();
      continue;
    }
    found.name = part;
    found.node = node;
    if (last) break;
    if (node->kind != Kind::kDirectory) return refuse(ErrorCode::kNotADirectory);
    found.chain.push_back(node);
  }
  return denied ? refuse(ErrorCode::kPathDenied) : found;
}

Tree::Found Tree::ResolveName(std::string_view path) {
  Found found = Resolve(path, Final::kKeep);
  const std::deque<std::string> parts = Split(path);
  const bool bare = !parts.empty() && parts.back() != "..";
  if (bare && (!found.refusal.allowed() || !found.name.empty())) return found;
  // Such a path names no entry, whatever else is wrong with it.
  if (found.refusal.allowed() || !found.refusal.codes.contains(ErrorCode::kInvalidPath)) {
    found.refusal.codes.insert(ErrorCode::kInvalidPath);
  }
  return found;
}

}  // namespace cordon::model
