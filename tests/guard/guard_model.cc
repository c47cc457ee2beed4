#include "tests/guard/guard_model.h"

#include <algorithm>
#include <deque>
#include <sstream>
#include <utility>

namespace cordon::testing {
namespace {

bool Below(const std::string& path, const std::string& directory) {
  if (directory == "/") return true;
  return path == directory || path.starts_with(directory + "/");
}

std::string Parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::vector<std::string> Parts(const std::string& path) {
  std::vector<std::string> parts;
  std::stringstream stream(path);
  for (std::string part; std::getline(stream, part, '/');) {
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

bool FollowsLast(const std::string& op) { return op != "delete" && op != "mkdir"; }

}  // namespace

GuardModel::GuardModel(ModelPolicy policy, ModelTree tree)
    : policy_(std::move(policy)), tree_(std::move(tree)) {}

std::string GuardModel::KindOf(const std::string& op) {
  if (op == "read" || op == "list") return "read";
  return op == "delete" ? "delete" : "write";
}

std::string GuardModel::LevelOf(const std::string& op) const {
  const std::string kind = KindOf(op);
  for (const auto& [name, level] : policy_.tools) {
    if (name == kind) return level;
  }
  if (policy_.profile != "interactive" || kind == "read") return "allow";
  return kind == "write" ? "session" : "always";
}

bool GuardModel::Denied(const std::string& real, const std::string& op) const {
  for (const ModelRule& rule : policy_.deny) {
    if (!rule.ops.empty() && !rule.ops.contains(op)) continue;
    for (const std::string& part : Parts(real)) {
      if (part == rule.name) return true;
    }
  }
  return false;
}

std::optional<std::string> GuardModel::LinkAt(const std::string& path) const {
  for (const auto& [name, text] : tree_.links) {
    if (name == path) return text;
  }
  return std::nullopt;
}

GuardModel::Resolved GuardModel::Resolve(const ModelRequest& request) const {
  Resolved at;
  std::vector<std::string> passed{request.path};
  const bool absolute = request.path.starts_with('/');
  at.real = absolute ? "/" : tree_.workspace;
  // By text it begins inside or outside; only on the way can it leave.
  const bool begins_inside = !absolute || Below(request.path, tree_.workspace);
  std::deque<std::string> left;
  for (const std::string& part : Parts(request.path)) left.push_back(part);
  if (begins_inside && absolute) {
    at.real = tree_.workspace;
    for (std::size_t i = 0; i < Parts(tree_.workspace).size(); ++i) left.pop_front();
  }
  while (!left.empty()) {
    const std::string part = left.front();
    left.pop_front();
    if (at.missing_parent) {
      at.real += "/" + part;
      continue;
    }
    if (part == "..") {
      at.real = Parent(at.real);
    } else {
      const std::string next = (at.real == "/" ? "" : at.real) + "/" + part;
      const auto link = LinkAt(next);
      if (link && (!left.empty() || FollowsLast(request.op))) {
        passed.push_back(next);
        if (link->starts_with('/')) at.real = "/";
        const std::vector<std::string> text = Parts(*link);
        left.insert(left.begin(), text.begin(), text.end());
        if (link->starts_with('/') && Below(*link, tree_.workspace)) continue;
      } else {
        at.real = next;
        at.missing_parent = !left.empty() && !tree_.directories.contains(next);
      }
    }
    const bool on_the_way_in =
        begins_inside && !Below(at.real, tree_.workspace) && !Below(tree_.workspace, at.real);
    const bool above =
        begins_inside && at.real != tree_.workspace && Below(tree_.workspace, at.real);
    // An absolute link to inside passes above the workspace and comes back.
    if (on_the_way_in || (above && part == "..")) at.left = true;
  }
  if (!Below(at.real, tree_.workspace) || !begins_inside) at.left = true;
  // Writing what is not there is making it, too.
  const bool makes = request.op == "write" && !tree_.files.contains(at.real) &&
                     !tree_.directories.contains(at.real);
  passed.push_back(at.real);
  for (const std::string& path : passed) {
    at.denied = at.denied || Denied(path, request.op) || (makes && Denied(path, "create"));
  }
  return at;
}

bool GuardModel::Works(const ModelRequest& request, const Resolved& at) const {
  const bool file = tree_.files.contains(at.real);
  const bool directory = tree_.directories.contains(at.real);
  const bool link = LinkAt(at.real).has_value();
  const bool parent = tree_.directories.contains(Parent(at.real));
  if (at.missing_parent) return false;
  if (request.op == "read") return file;
  if (request.op == "write") return parent && !directory;
  if (request.op == "delete") return file || link;
  if (request.op == "list") return directory;
  return parent && !file && !directory && !link;  // mkdir
}

ModelVerdict GuardModel::Judge(const ModelRequest& request) const {
  using Kind = ModelVerdict::Kind;
  const Resolved at = Resolve(request);
  ModelVerdict verdict;
  verdict.real = at.real;
  const std::string level = LevelOf(request.op);
  if (level == "deny" || at.denied) return verdict;
  const bool outside = !Below(at.real, tree_.workspace);
  if (at.left && !outside) return verdict;  // out and back in
  const Kind outcome = Works(request, at) ? Kind::kServed : Kind::kFailed;
  if (!outside) {
    const bool trusted = level == "session" && trusted_.contains(KindOf(request.op));
    verdict.kind = level == "allow" || trusted ? outcome : Kind::kAsks;
    // Nobody is asked about what could not be done anyway.
    if (verdict.kind == Kind::kAsks && outcome == Kind::kFailed) verdict.kind = Kind::kFailed;
    verdict.tool_on_offer = level == "session";
    return verdict;
  }
  if (policy_.profile != "interactive") return verdict;
  const bool granted =
      std::any_of(granted_.begin(), granted_.end(),
                  [&](const std::string& directory) { return Below(at.real, directory); });
  if (granted && level != "always") {
    verdict.kind = outcome;
    return verdict;
  }
  verdict.kind = Kind::kAsks;
  const std::string directory = request.op == "list" ? at.real : Parent(at.real);
  const bool kept = directory == "/" ||
                    std::any_of(tree_.kept.begin(), tree_.kept.end(),
                                [&](const std::string& path) { return Below(path, directory); });
  // What may not be listed cannot be given away as a whole.
  if (!kept && level != "always" && tree_.directories.contains(directory) &&
      !Denied(directory, "list")) {
    verdict.directory = directory;
  }
  return verdict;
}

ModelVerdict GuardModel::AfterYes(const ModelRequest& request) const {
  const Resolved at = Resolve(request);
  ModelVerdict verdict;
  verdict.real = at.real;
  verdict.kind = Works(request, at) ? ModelVerdict::Kind::kServed : ModelVerdict::Kind::kFailed;
  return verdict;
}

}  // namespace cordon::testing
