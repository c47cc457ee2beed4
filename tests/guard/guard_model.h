// What the guard must decide, said again in the simplest possible way: on paths that
// hold still, with names instead of descriptors, and with none of its code.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cordon::testing {

struct ModelRule {
  std::string name;           // a name anywhere
  std::set<std::string> ops;  // empty: all
};

struct ModelPolicy {
  std::string profile;
  std::vector<ModelRule> deny;
  // What the operator says of a kind of tool: "allow", "session", "always", "deny".
  std::vector<std::pair<std::string, std::string>> tools;
};

// A tree that does not change but by the test's own hand.
struct ModelTree {
  std::string workspace;                                   // absolute, without links
  std::vector<std::string> kept;                           // directories that are never given away
  std::set<std::string> directories;                       // absolute
  std::set<std::string> files;                             // absolute
  std::vector<std::pair<std::string, std::string>> links;  // absolute name, text
};

struct ModelRequest {
  std::string op;    // "read", "write", "delete", "list", "mkdir"
  std::string path;  // as an agent would give it
};

struct ModelVerdict {
  enum class Kind { kServed, kFailed, kRefused, kAsks } kind = Kind::kRefused;
  std::string real;                      // where it really is
  std::optional<std::string> directory;  // on offer, if it asks
  bool tool_on_offer = false;
};

class GuardModel {
 public:
  GuardModel(ModelPolicy policy, ModelTree tree);

  // As things stand, before anybody is asked.
  ModelVerdict Judge(const ModelRequest& request) const;
  // What comes after a yes: kServed or kFailed.
  ModelVerdict AfterYes(const ModelRequest& request) const;

  void GrantDirectory(const std::string& directory) { granted_.insert(directory); }
  void TrustKind(const std::string& op) { trusted_.insert(KindOf(op)); }

  // Whether a deny rule covers the object for this operation, whatever anybody says.
  bool Denied(const std::string& real, const std::string& op) const;
  static std::string KindOf(const std::string& op);

 private:
  struct Resolved {
    std::string real;
    bool left = false;    // the way led out of the workspace
    bool denied = false;  // a denied name was on the way
    bool missing_parent = false;
  };
  Resolved Resolve(const ModelRequest& request) const;
  std::string LevelOf(const std::string& op) const;
  bool Works(const ModelRequest& request, const Resolved& at) const;
  std::optional<std::string> LinkAt(const std::string& path) const;

  ModelPolicy policy_;
  ModelTree tree_;
  std::set<std::string> granted_;
  std::set<std::string> trusted_;
};

}  // namespace cordon::testing
