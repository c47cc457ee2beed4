#include "confine/replacement.h"

#include <cerrno>
#include <utility>

#include "base/try.h"
#include "confine/file.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/host.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

// New content must not inherit the right to run as someone else.
constexpr std::uint32_t kKeptModeBits = 0777;

std::string TemporaryName() {
  std::string name = ".cordon-";
  std::uint64_t number = platform::RandomNumber();
  for (int digit = 0; digit < 16; ++digit, number >>= 4) {
    name += "0123456789abcdef"[number & 15];
  }
  return name + ".tmp";
}

// Gives `file` the owner and group of `old` as far as this process may, and
// returns the mode that lets nobody in who was kept out.
std::uint32_t KeepOwner(int file, const platform::FileStat& old) {
  // Not every user may give files away; who may, keeps the owner.
  if (platform::SetOwner(file, old.owner, old.group)) return old.mode;
  if (platform::SetOwner(file, platform::kSameOwner, old.group)) return old.mode;
  // The group is another one: it gets what everyone gets.
  return (old.mode & ~070U) | ((old.mode & 07U) << 3);
}

}  // namespace

Replacement::Replacement(Replacement&& other) noexcept
    : directory_(std::move(other.directory_)),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      name_(std::move(other.name_)),
      replaces_(other.replaces_),
      previous_(other.previous_) {}

Replacement& Replacement::operator=(Replacement&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  directory_ = std::move(other.directory_);
  file_ = std::move(other.file_);
  temporary_ = std::exchange(other.temporary_, {});
  name_ = std::move(other.name_);
  replaces_ = other.replaces_;
  previous_ = other.previous_;
  return *this;
}

Replacement::~Replacement() { Discard(); }

void Replacement::Discard() {
  if (temporary_.empty()) return;
  // Nothing can be done about a failure here; the name is ours alone.
  static_cast<void>(platform::RemoveFile(directory_.get(), temporary_.c_str()));
  temporary_.clear();
}

Status Replacement::Write(std::string_view bytes) { return platform::WriteAll(file_.get(), bytes); }

Status Replacement::SetMode(std::uint32_t mode) {
  return platform::SetMode(file_.get(), mode & kKeptModeBits);
}

Status Replacement::Commit() {
  if (temporary_.empty()) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "commit";
    error.detail = "the replacement was already committed";
    return error;
  }
  TRY(platform::SyncFile(file_.get()));
  TRY(platform::RenameEntry(directory_.get(), temporary_.c_str(), directory_.get(), name_.c_str()));
  temporary_.clear();
  return {};
}

Result<Replacement> Root::Replace(std::string_view untrusted, const Expected& /*expected*/) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kWrite));
  Resolution resolution(*state_, Operation::kWrite);
  const FinalSymlink final =
      request.must_be_directory ? FinalSymlink::kNoFollow : FinalSymlink::kFollow;
  TRY_ASSIGN(Place place, resolution.Locate(request, final));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  Replacement replacement;
  auto previous = platform::StatEntry(place.directory.get(), place.name.c_str());
  if (previous) {
    TRY(CheckRegular(*state_, *previous, WriteStyle::kReplaces));
    replacement.replaces_ = true;
    replacement.previous_ = *previous;
  } else if (previous.error().os_errno != ENOENT) {
    return std::move(previous.error());
  } else {
    // Making a file is an operation of its own, which a rule may refuse alone.
    Resolution creation(*state_, Operation::kCreate);
    TRY_ASSIGN(place, creation.Locate(request, final));
  }
  std::string temporary = TemporaryName();
  // Whoever could open it before it has its owner and mode would read what follows.
  auto file = platform::OpenEntry(
      place.directory.get(), temporary.c_str(),
      replacement.replaces_ ? OpenIntent::kCreatePrivate : OpenIntent::kCreateExclusive);
  if (!file) return ExplainNotFound(*state_, std::move(file.error()));
  replacement.directory_ = std::move(place.directory);
  replacement.file_ = std::move(*file);
  replacement.temporary_ = std::move(temporary);
  replacement.name_ = std::move(place.name);
  if (replacement.replaces_) {
    TRY(replacement.SetMode(KeepOwner(replacement.file_.get(), replacement.previous_)));
  }
  return replacement;
}

Status Root::Append(std::string_view untrusted, std::string_view bytes,
                    const Expected& /*expected*/) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kWrite));
  Resolution resolution(*state_, Operation::kWrite);
  if (request.must_be_directory) TRY(resolution.Locate(request, FinalSymlink::kNoFollow));
  auto fd = resolution.Open(request, OpenIntent::kAppendExisting, FinalSymlink::kFollow);
  if (!fd && fd.error().os_errno == ENOENT) {
    Resolution creation(*state_, Operation::kCreate, Operation::kWrite);
    fd = creation.Open(request, OpenIntent::kAppend, FinalSymlink::kFollow);
  }
  if (!fd) return std::move(fd.error());
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(fd->get()));
  TRY(CheckRegular(*state_, stat, WriteStyle::kReplaces));
  if (stat.links <= 1) {
    DropSetUserId(fd->get(), stat);
    return platform::WriteAll(fd->get(), bytes);
  }
  TRY_ASSIGN(Replacement copy, Replace(untrusted));
  TRY_ASSIGN(File old, Open(untrusted, OpenMode::kRead));
  TRY_ASSIGN(const platform::FileStat read, old.Stat());
  if (read.identity != stat.identity || copy.previous().identity != stat.identity) {
    return RaceError();
  }
  std::string chunk(64 * 1024, '\0');
  while (true) {
    TRY_ASSIGN(const std::size_t count, old.Read(chunk));
    if (count == 0) break;
    TRY(copy.Write(std::string_view(chunk).substr(0, count)));
  }
  TRY(copy.Write(bytes));
  return copy.Commit();
}

}  // namespace cordon::confine
