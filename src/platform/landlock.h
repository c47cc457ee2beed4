// The kernel's rules for paths: all that is handled is refused, but where a rule grants it.
#pragma once

#include <cstdint>
#include <string>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// What this kernel understands. Errors: kUnsupported when it has no Landlock, or has it
// switched off.
Result<int> LandlockVersion();

enum class PathGrant {
  kRead,         // contents and lists of entries
  kReadExecute,  // and starting programs
  kReadWrite,    // devices and the like: no entries are made or removed
  kEverything,
  kList,  // lists of entries only
};
enum class TcpRule { kNotHandled, kRefused };

// Guarantees: handles every right on files the kernel knows of, and keeps signals and
//   abstract sockets inside where it can (version 6).
// Does not guarantee: attributes of files, and what was open before, are not covered; a
//   grant covers all below, so nothing below can be taken out again.
class LandlockRules {
 public:
  static Result<LandlockRules> Make(TcpRule tcp);
  // Follows links. A path that is not there is passed over: it can be granted no more.
  Status Grant(const std::string& path, PathGrant grant);
  // Holds this process, and all it starts, from now on. Requires ForbidNewPrivileges or
  // the capability.
  Status Enforce() const;

 private:
  LandlockRules(UniqueFd rules, int version) : rules_(std::move(rules)), version_(version) {}
  UniqueFd rules_;
  int version_;
};

// A line within the line: who is behind it can trace nobody outside of it and, if asked for,
// signal nobody there nor reach its abstract sockets (version 6).
enum class InnerReach { kTracingRefused, kSignalsRefusedToo };
Result<UniqueFd> MakeInnerLine(InnerReach reach);
// Allocates nothing.
Status EnterInnerLine(int line);

}  // namespace cordon::platform
