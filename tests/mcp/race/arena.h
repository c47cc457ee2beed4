// The place of one race: what is inside, what is outside, and the names that change places.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/support/attacker.h"
#include "tests/support/scratch.h"
#include "tests/support/setup.h"
#include "tests/support/snapshot.h"

namespace cordon::testing {

struct Duel {
  std::string name;
  std::vector<SetupStep> setup;
  bool swap = true;           // else: move
  std::string first, second;  // below the scratch directory
  std::string file;           // below the root: reached through a contested name
  std::string directory;      // below the root: the contested one, or "." if that is a file
};

// The races of race-cases.json, in its order, then those on what it does not race.
std::vector<Duel> Duels();

// Guarantees: outside there is a file whose name and content no reply may tell.
class Arena {
 public:
  explicit Arena(const Duel& duel);

  const std::string& problem() const { return problem_; }  // set: it could not be built
  std::string root() const { return scratch_.At("root"); }
  std::string home() const { return home_.path(); }
  std::vector<Contested> contested() const;
  // What a reply tells that it must not; "" if nothing.
  static std::string Leak(const std::string& reply);
  // What happened that must not have: something outside changed, or something of it came
  // inside. "" if nothing.
  std::string Damage() const;
  // A temporary file that was left, other than those `told`; "" if none.
  std::string Leftover(const std::set<std::string>& told) const;
  // Which of the server's own files holds something of the outside; "" if none.
  std::string Kept() const;
  // Whether the names still lead to what the attacker began with.
  bool IsIntact() const;
  // The inside as it was at the beginning; the root stays the same directory.
  void Restore();

 private:
  Scratch scratch_;
  Scratch home_;
  Duel duel_;
  std::string problem_;
  Snapshot outside_, inside_;
};

}  // namespace cordon::testing
