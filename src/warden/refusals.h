// What was refused, told once each, and counted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "sandbox/message.h"

namespace cordon::warden {

// Told by the warden, in its thread.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void Refused(const sandbox::Refused& refused) = 0;
  virtual void RefusedMore(const sandbox::RefusedMore& more) = 0;
  virtual void Ask(const sandbox::Ask& ask) = 0;
};

// Does not guarantee: that everything is told; beyond 256 different ones they are counted.
class Refusals {
 public:
  explicit Refusals(Reporter& reporter) : reporter_(reporter) {}
  // Whether this one is new and will be told: only then is it worth asking who it was.
  bool IsNew(Operation operation, const std::string& path, const std::string& rule);
  void Tell(const sandbox::Refused& refused) { reporter_.Refused(refused); }
  void Ask(const sandbox::Ask& ask) { reporter_.Ask(ask); }
  void Finish();

 private:
  Reporter& reporter_;
  std::unordered_set<std::string> told_;
  sandbox::RefusedMore more_;
};

}  // namespace cordon::warden
