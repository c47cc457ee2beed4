// Says what a command may do with a path, from the Spec alone. Pure: what depends on the
// file system is left to the caller as suspects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "policy/deny_list.h"
#include "sandbox/spec.h"

namespace cordon::warden {

// What the path is, before anything is denied.
enum class Region {
  kPlace,    // granted by spec.places
  kSystem,   // granted by spec.system
  kPrivate,  // the command's own: /tmp, /dev, /proc, the home directory
  kOutside,  // none of these
};

// Whose /tmp, /dev, /proc and home directory the command sees. The host's are none of its
// business, but for what every program needs: then it has no directories of its own.
enum class View { kOwn, kOfHost };

struct Judgement {
  Region region = Region::kOutside;
  std::string rule;  // not empty: refused; "outside" if it lies there
  // Else: refused with `rule` if the directory `holder` compares names by `when`.
  struct Suspect {
    std::string holder;
    path::NameRules when = path::NameRules::kExact;
    std::string rule;
  };
  std::vector<Suspect> suspects;
  bool refused() const { return !rule.empty(); }
  bool clear() const { return rule.empty() && suspects.empty(); }
};

// Guarantees: what it cannot decide is refused or left as a suspect.
// Thread safety: const methods may run concurrently.
class Judge {
 public:
  // `own_process`: whose memory and descriptors are nobody's business.
  // Errors: kInvalidArguments for a rule that is no pattern.
  static Result<Judge> Make(const sandbox::Spec& spec, View view, int own_process);

  // `path`: absolute and real, or as real as it is known. Pipes, sockets and
  // the like, as the kernel writes them, have no place and are free.
  Judgement Check(std::string_view path, Operation operation) const;

  // Whether something below the directory `path` must stay where it is. The rule, or "".
  std::string KeepsBelow(std::string_view path) const;
  // Whether `path` lies above something granted, so that it must be walked through.
  bool LeadsToPlaces(std::string_view path) const;
  // Whether a missing name is nothing to speak of.
  bool IsQuiet(std::string_view path) const;

 private:
  struct Area {
    std::string path;
    Region region = Region::kOutside;
    sandbox::Place::Access access = sandbox::Place::Access::kRead;
  };
  void AddPrivate(const sandbox::Spec& spec, View view);
  const Area* AreaOf(std::string_view path) const;
  void CheckNames(const policy::DenyList& rules, std::string_view root, std::string_view path,
                  Operation operation, Judgement& judgement) const;
  std::string CheckProcess(std::string_view path) const;

  std::vector<Area> areas_;  // longest first
  std::vector<std::string> hidden_;
  std::vector<std::string> quiet_;
  policy::DenyList rules_;
  policy::DenyList anywhere_;  // those that do not depend on where a place begins
  std::string own_;            // "/proc/1"
};

// Whether `path` is `directory`, or lies below it.
bool IsWithin(std::string_view path, std::string_view directory);
// Resolves ".", ".." and doubled slashes by text alone.
std::string Normal(std::string_view path);

}  // namespace cordon::warden
