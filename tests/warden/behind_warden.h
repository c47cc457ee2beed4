// Runs a command behind the system-call filter and a warden, without namespaces and as an
// ordinary user, whoever runs the test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/syscall_filter.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::warden_test {

struct Outcome {
  int status = -1;     // of exit; 128 + signal
  std::string output;  // standard output and error
  std::vector<sandbox::Refused> refused;
  std::vector<sandbox::Ask> asked;
  sandbox::RefusedMore more;
  bool WasRefused(const std::string& rule, const std::string& path_end) const;
};

// How an Ask is answered: the path to open for the process, or anything if it was not to be
// opened; "" to refuse.
using Answerer = std::function<std::string(const sandbox::Ask&)>;

struct Terms {
  sandbox::Spec spec;
  platform::FilterTerms filter;
  Answerer answer;
  bool supervised = true;   // else the command runs as it is, to compare with
  bool own_streams = true;  // else those of the caller
};

// A Spec for `workspace`: programs and libraries, the default rules without `.git`.
sandbox::Spec SpecFor(const std::string& workspace);

Terms TermsFor(const std::string& workspace);

Outcome RunBehind(const Terms& terms, const std::vector<std::string>& command);
// `bash -c script` in the workspace.
Outcome RunScript(const Terms& terms, const std::string& script);

// A directory of the ordinary user's, removed at the end.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  const std::string& path() const { return path_; }
  std::string Read(const std::string& name) const;
  void Write(const std::string& name, const std::string& content) const;
  bool Exists(const std::string& name) const;
  // As the ordinary user, unsupervised.
  int Shell(const std::string& script) const;

 private:
  std::string top_, path_;
};

}  // namespace cordon::warden_test
