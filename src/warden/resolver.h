// Finds what a process means by a path, without trusting the text: every step ends in a
// reference, every link passed is judged, and /proc/self is the process's own.
#pragma once

#include <string>

#include "platform/act_for_process.h"
#include "platform/file_stat.h"
#include "platform/other_process.h"
#include "platform/supervised_call.h"
#include "platform/unique_fd.h"
#include "warden/judge.h"

namespace cordon::warden {

// Where a path begins, and its text, read once.
struct Origin {
  platform::UniqueFd base;  // invalid: the root directory
  std::string text;         // empty: the base itself is meant
  int os_errno = 0;
};

struct NotThere {
  int os_errno = 0;     // 0: it is there
  std::string place;    // where it would be, by text as far as it is not known; absolute
  std::string refused;  // the rule that a link on the way met
};

struct Found : NotThere {
  platform::UniqueFd object;  // a reference
  platform::FileType type = platform::FileType::kUnknown;
  std::string real;
  int own_descriptor = -1;  // of the process, if the path ended in a link to it
};

// A name in a directory; whether something has it is not known.
struct Spot : NotThere {
  platform::UniqueFd directory;
  std::string directory_real;
  std::string name;
  std::string slashes;   // behind the name
  bool special = false;  // ".", ".." or nothing: nothing can be done with it
  std::string path() const {
    return directory_real == "/" ? "/" + name : directory_real + "/" + name;
  }
  std::string asked() const { return name + slashes; }
};

// Thread safety: none; one call at a time.
class Resolver {
 public:
  static Result<Resolver> Make(const platform::ActForProcess& acts,
                               const platform::OtherProcesses& processes, const Judge& judge);

  // `resolve`: openat2's flags of the process, or 0.
  Origin Begin(int thread, const platform::NamedPath& path, std::uint64_t resolve) const;
  Found Find(int thread, const Origin& origin, platform::NamedPath::FinalLink final_link,
             std::uint64_t resolve) const;
  Spot FindSpot(int thread, const Origin& origin, std::uint64_t resolve) const;
  int root() const { return root_.get(); }
  // Absolute, by text.
  std::string PlaceOf(const Origin& origin) const;
  // The rule that holds for `path`, suspects looked into; the region as well.
  Judgement Judged(const std::string& path, Operation operation) const;

 private:
  Resolver(const platform::ActForProcess& acts, const platform::OtherProcesses& processes,
           const Judge& judge, platform::UniqueFd root)
      : acts_(acts), processes_(processes), judge_(judge), root_(std::move(root)) {}
  int Base(const Origin& origin) const {
    return origin.base.valid() ? origin.base.get() : root_.get();
  }
  Found Describe(platform::UniqueFd object) const;
  Found Walk(int thread, const Origin& origin, platform::NamedPath::FinalLink final_link) const;

  const platform::ActForProcess& acts_;
  const platform::OtherProcesses& processes_;
  const Judge& judge_;
  platform::UniqueFd root_;
};

}  // namespace cordon::warden
