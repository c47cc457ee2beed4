// Whether the audit log is as it was written, as often as anybody asks.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "audit/verify.h"
#include "store/records.h"

namespace cordon::serve {

// Guarantees: one check at a time, whoever asks; all of the log at most for a twentieth of the
//   time, else what was written since the check before, from the last record that was found good.
//   What was once found damaged stays so until all of it was looked at again.
// Thread safety: may run concurrently; who comes while a check runs waits for it.
class ChainCheck {
 public:
  ChainCheck(audit::LogPlace place, std::function<store::Time()> now)
      : place_(std::move(place)), now_(std::move(now)) {}

  struct Checked {
    audit::Verification result;  // `records` and `first` of all that was checked so far
    store::Time when = 0;
  };
  // Errors: those of audit::Verify.
  Result<Checked> Look();

 private:
  Result<Checked> LookAtAll(store::Time now);
  Result<Checked> LookAtNew(store::Time now);

  const audit::LogPlace place_;
  const std::function<store::Time()> now_;
  std::mutex mutex_;
  std::optional<Checked> last_;
  store::Time all_again_ = 0;  // when all of it may be looked at again
};

}  // namespace cordon::serve
