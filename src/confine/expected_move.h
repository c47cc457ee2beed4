// Renaming a certain object, perhaps over a certain other one.
#pragma once

#include <string>

#include "confine/aside.h"
#include "confine/expected.h"
#include "confine/resolution.h"
#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::confine {

// Where a certain object is to be moved, it is taken off its name first, and gets the new
// one only after it was found to be the right one: nothing else is ever seen there.
class ExpectedMove {
 public:
  // `moved` is what `from` holds; all must outlive this object.
  ExpectedMove(const RootState& root, const Place& from, const Place& to,
               const platform::FileStat& moved, const Expected& expected_from,
               const Expected& expected_to);

  // Errors: as rename's; kStaleFile; kUnsupported. After all of them both names hold
  // what they held, or the detail tells what lies elsewhere.
  Status Run();

 private:
  Result<bool> IsSameFile() const;
  Status TakeNewName();
  Status TakeNewNameFromExpected();
  Status TakeLookedAt();
  bool LooksFirst(const Error& error) const;
  Status RemoveReplaced() const;
  Error BackToOldName(Error why) const;

  const Place& from_;
  const Place& to_;
  const platform::FileStat& moved_;
  const Expected& expected_from_;
  const Expected& expected_to_;
  Patience patience_;
  RootOptions::WithoutExchange without_exchange_;
  std::string aside_;  // where the object is meanwhile, in its old directory; may be its old name
};

}  // namespace cordon::confine
