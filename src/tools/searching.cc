#include "tools/searching.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/try.h"

namespace cordon::tools {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(250);

// Tells how far a search has come, while whoever called it waits.
class Ticker {
 public:
  Ticker(const Context& context, const std::function<std::uint64_t()>& counted,
         std::string_view what) {
    if (!context.progress) return;
    thread_ = std::jthread([&context, &counted, what](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      while (!changed.wait_for(lock, stop, kBetween, [&] { return stop.stop_requested(); })) {
        context.progress({counted(), what});
      }
    });
  }

 private:
  std::jthread thread_;
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
