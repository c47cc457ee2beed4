#include "undo/journal_file.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "confine/file.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/private_file.h"
#include "undo/objects.h"

namespace cordon::undo {
namespace {

using platform::PrivateAccess;

constexpr const char* kJournal = "journal";
constexpr const char* kNext = "journal.next";
constexpr const char* kLock = "lock";
constexpr std::uint64_t kTailBytes = 16 * 1024;
constexpr std::size_t kMaxJournalBytes = std::size_t{1} << 30;

Result<std::string> ReadFrom(int fd, std::uint64_t begin, std::uint64_t end) {
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  std::size_t got = 0;
  while (got < text.size()) {
    TRY_ASSIGN(const std::size_t count,
               platform::ReadAt(fd, begin + got, std::span(text).subspan(got)));
    if (count == 0) return JournalError("the journal became shorter while it was read");
    got += count;
  }
  return text;
}

// The last line that can be read, of those that begin in `text`.
std::optional<Entry> LastEntry(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.rfind('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text = text.substr(0, end);
    const std::size_t before = text.rfind('\n');
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (auto entry = ParseEntry(text.substr(begin))) return entry;
    text = text.substr(0, begin);
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<JournalFile>> JournalFile::Open(int directory) {
  std::unique_ptr<JournalFile> file(new JournalFile(directory));
  TRY_ASSIGN(file->lock_,
             platform::OpenPrivateFile(directory, kLock, PrivateAccess::kMakeIfMissing));
  return file;
}

Result<JournalFile::Turn> JournalFile::Take() {
  std::unique_lock threads(mutex_);
  TRY_ASSIGN(platform::FileLock processes,
             platform::FileLock::Take(lock_.get(), platform::FileLock::Kind::kExclusive));
  TRY(Refresh());
  return Turn(*this, std::move(threads), std::move(processes));
}

Status JournalFile::Refresh() {
  if (file_.valid()) {
    const auto named = platform::StatEntry(directory_, kJournal);
    TRY_ASSIGN(const platform::FileStat own, platform::StatDescriptor(file_.get()));
    if (!named || named->identity != own.identity) file_.reset();
  }
  if (!file_.valid()) {
    TRY_ASSIGN(file_,
               platform::OpenPrivateFile(directory_, kJournal, PrivateAccess::kMakeIfMissing));
    end_ = 0;
    torn_ = false;
  }
  TRY_ASSIGN(const platform::FileExtent extent, platform::ExtentOf(file_.get()));
  if (extent.size == end_) return {};
  return ReadTail(extent.size);
}

Status JournalFile::ReadTail(std::uint64_t size) {
  // What was read before need not be read again, unless the file became shorter.
  const std::uint64_t known = size > end_ ? end_ : 0;
  for (std::uint64_t length = kTailBytes;; length *= 16) {
    const std::uint64_t begin = std::max(known, size > length ? size - length : 0);
    TRY_ASSIGN(const std::string text, ReadFrom(file_.get(), begin, size));
    torn_ = !text.empty() && text.back() != '\n';
    const std::optional<Entry> entry = LastEntry(text);
    if (entry) {
      // Numbers only rise: a line that cannot be read may have had a higher one.
      last_ = std::max(last_, entry->last);
      total_ = entry->total;
    }
    if (entry || begin == known) break;
  }
  end_ = size;
  return {};
}

Status JournalFile::Turn::Append(Entry entry) const {
  entry.last = file_.last_;
  std::string line = file_.torn_ ? "\n" : "";
  // Its own length is one of its numbers: a guess that is near suffices.
  constexpr std::uint64_t kUsualLine = 600;
  entry.total = file_.total_ + kUsualLine;
  line += FormatEntry(entry);
  const std::uint64_t size = line.size();
  TRY(platform::WriteAllAt(file_.file_.get(), file_.end_, line));
  file_.end_ += size;
  file_.torn_ = false;
  file_.total_ = entry.total;
  return {};
}

Status JournalFile::Turn::Rewrite(std::string lines, std::uint64_t kept) const {
  Entry state;
  state.last = file_.last_;
  state.total = kept + lines.size();
  lines += FormatEntry(state);
  const int directory = file_.directory_;
  static_cast<void>(platform::RemoveFile(directory, kNext));  // of a killed process
  TRY_ASSIGN(platform::UniqueFd next,
             platform::OpenPrivateFile(directory, kNext, PrivateAccess::kCreateExclusive));
  TRY(platform::WriteAll(next.get(), lines));
  TRY(platform::SyncFile(next.get()));
  TRY(platform::RenameEntry(directory, kNext, directory, kJournal));
  file_.file_ = std::move(next);
  file_.end_ = lines.size();
  file_.torn_ = false;
  file_.total_ = state.total;
  return {};
}

Result<std::string> JournalFile::ReadAll() const {
  auto file = platform::OpenPrivateFile(directory_, kJournal, PrivateAccess::kRead);
  if (!file) {
    if (file.error().code == ErrorCode::kNotFound) return std::string();
    return std::move(file.error());
  }
  return confine::ReadToEnd(file->get(), kMaxJournalBytes);
}

}  // namespace cordon::undo
