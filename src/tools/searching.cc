#include "tools/searching.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/try.h"

namespace cordon::tools {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(100);

// Tells how far a search has come, while whoever called it waits.
class Ticker {
 public:
  Ticker(const Context& context, const std::function<std::uint64_t()>& counted,
         std::string_view what) {
    if (!context.progress) return;
    thread_ = std::thread([this, &context, &counted, what] {
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, kBetween, [this] { return done_; })) {
        context.progress({counted(), what});
      }
    });
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  ~Ticker() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

Error Ended(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "search";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

search::SelectionTerms SelectionOf(const Arguments& arguments) {
  search::SelectionTerms terms;
  if (arguments.Denies("respect_gitignore")) {
    terms.ignore_files = search::IgnoreFiles::kDisregard;
  }
  if (arguments.Says("include_hidden")) terms.hidden = search::HiddenEntries::kTake;
  return terms;
}

Result<confine::SearchOutcome> RunSearch(Context& context, std::string_view path,
                                         confine::SearchReach reach,
                                         confine::SearchVisitor& visitor,
                                         const std::function<std::uint64_t()>& counted,
                                         std::string_view what) {
  confine::SearchTerms terms;
  terms.reach = reach;
  const Ticker ticker(context, counted, what);
  TRY_ASSIGN(confine::SearchOutcome outcome,
             context.guard.Search(context.call, path, terms, visitor));
  if (outcome.stopped) return Ended(ErrorCode::kTimeout, "the call was stopped");
  if (outcome.limited) {
    return Ended(ErrorCode::kLimitExceeded,
                 "the tree is too large to be searched whole; name a directory below");
  }
  return outcome;
}

std::string PathToAsk(std::string_view path, std::string_view found,
                      const confine::SearchOutcome& outcome) {
  if (outcome.start == confine::SearchOutcome::Start::kFile) return std::string(path);
  if (path == "." || path == "./" || path.empty()) return std::string(found);
  std::string whole(path);
  if (!whole.ends_with('/')) whole += '/';
  return whole += found;
}

}  // namespace cordon::tools
