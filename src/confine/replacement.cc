#include "confine/replacement.h"

#include <cerrno>
#include <utility>

#include "base/try.h"
#include "confine/aside.h"
#include "confine/expected_check.h"
#include "confine/keep_terms.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "platform/attributes.h"
#include "platform/directory.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

Status CheckComparable(const platform::FileStat& old) {
  if (old.size <= kMaxComparedBytes) return {};
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "replace";
  error.detail = "the file is too large to be compared with what it was";
  return error;
}

}  // namespace

Replacement::Replacement(std::unique_ptr<ReplacementElsewhere> elsewhere)
    : elsewhere_(std::move(elsewhere)) {}

Replacement::Replacement(Replacement&& other) noexcept
    : directory_(std::move(other.directory_)),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      name_(std::move(other.name_)),
      replaces_(other.replaces_),
      previous_(other.previous_),
      expected_(other.expected_),
      patience_(other.patience_),
      without_exchange_(other.without_exchange_),
      elsewhere_(std::move(other.elsewhere_)) {}

Replacement& Replacement::operator=(Replacement&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  directory_ = std::move(other.directory_);
  file_ = std::move(other.file_);
  temporary_ = std::exchange(other.temporary_, {});
  name_ = std::move(other.name_);
  replaces_ = other.replaces_;
  previous_ = other.previous_;
  expected_ = other.expected_;
  patience_ = other.patience_;
  without_exchange_ = other.without_exchange_;
  elsewhere_ = std::move(other.elsewhere_);
  return *this;
}

Replacement::~Replacement() { Discard(); }

void Replacement::Discard() {
  if (temporary_.empty()) return;
  // Nothing can be done about a failure here; the name is ours alone.
  static_cast<void>(platform::RemoveFile(directory_.get(), temporary_.c_str()));
  temporary_.clear();
}

Status Replacement::Write(std::string_view bytes) {
  return elsewhere_ ? elsewhere_->Write(bytes) : platform::WriteAll(file_.get(), bytes);
}

Status Replacement::SetMode(std::uint32_t mode) {
  if (elsewhere_) return elsewhere_->SetMode(mode);
  return platform::SetMode(file_.get(), mode & kKeptModeBits);
}

Status Replacement::SetTerms(const FileTerms& terms) {
  if (elsewhere_) return elsewhere_->SetTerms(terms);
  TRY(platform::WriteAttributes(file_.get(), terms.attributes));
  TRY(SetMode(terms.mode));
  return platform::SetModified(file_.get(), terms.modified_ns);
}

Result<platform::FileStat> Replacement::Stat() const {
  if (elsewhere_) {
    Error error;
    error.code = ErrorCode::kUnsupported;
    error.op = "replace";
    error.detail = "what is written elsewhere cannot be looked at before it is there";
    return error;
  }
  return platform::StatDescriptor(file_.get());
}

Result<Replacement> Root::Replace(std::string_view untrusted, const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Replace(untrusted, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kWrite));
  Resolution resolution(*state_, Operation::kWrite);
  const FinalSymlink final =
      request.must_be_directory ? FinalSymlink::kNoFollow : FinalSymlink::kFollow;
  TRY_ASSIGN(Place place, LocateExpected(resolution, request, final, expected));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  Replacement replacement;
  auto previous = platform::StatEntry(place.directory.get(), place.name.c_str());
  if (previous) {
    TRY(CheckObject(expected, *previous));
    TRY(CheckRegular(*state_, *previous, WriteStyle::kReplaces));
    replacement.replaces_ = true;
    replacement.previous_ = *previous;
    if (expected.content) TRY(CheckComparable(*previous));
  } else if (previous.error().os_errno != ENOENT) {
    return std::move(previous.error());
  } else if (expected.presence == Presence::kPresent || expected.content) {
    return StaleError(place.name, "what was agreed to is no longer there");
  } else {
    // Making a file is an operation of its own, which a rule may refuse alone.
    Resolution creation(*state_, Operation::kCreate);
    TRY_ASSIGN(place, LocateExpected(creation, request, final, expected));
  }
  std::string temporary = TemporaryNameFor(expected);
  // Whoever could open it before it has its owner and mode would read what follows.
  auto file = platform::OpenEntry(
      place.directory.get(), temporary.c_str(),
      replacement.replaces_ ? OpenIntent::kCreatePrivate : OpenIntent::kCreateExclusive);
  if (!file) return ExplainNotFound(*state_, std::move(file.error()));
  replacement.directory_ = std::move(place.directory);
  replacement.file_ = std::move(*file);
  replacement.temporary_ = std::move(temporary);
  replacement.name_ = std::move(place.name);
  replacement.expected_ = expected;
  replacement.patience_ = state_->options.race_deadline;
  if (state_->options.without_exchange == RootOptions::WithoutExchange::kLookFirst) {
    replacement.without_exchange_ = Replacement::Lacking::kLookFirst;
  }
  if (replacement.replaces_) {
    TRY(KeepTerms(replacement.directory_.get(), replacement.name_, replacement.previous_,
                  replacement.file_.get()));
  }
  return replacement;
}

}  // namespace cordon::confine
