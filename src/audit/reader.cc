#include "audit/reader.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "audit/line_source.h"
#include "audit/log_files.h"
#include "base/printable.h"
#include "base/try.h"
#include "confine/root.h"
#include "platform/file_lock.h"

namespace cordon::audit {
namespace {

confine::RootOptions ForReading() {
  confine::RootOptions options;
  options.access = confine::RootAccess::kReadOnly;
  options.hard_links = policy::HardLinks::kReadOnly;
  options.mounts = policy::Mounts::kReadOnly;
  return options;
}

Error NoLog(const std::string& log_file) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "open";
  error.rule = "audit";
  error.component = log_file;
  error.detail = "there is no audit log " + Quoted(log_file);
  return error;
}

template <typename T>
bool IsMissing(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

}  // namespace

struct Reader::State {
  confine::Root directory;
  std::string prefix;                // of what names are shown, with the slash
  std::string name;                  // of the current file
  std::optional<LineSource> source;  // what is being read
  bool source_is_older = false;      // it has a number already
  std::uint64_t last_number = 0;     // of the last older file that was begun

  // Nothing when there is no such file.
  Result<std::optional<LineSource>> Open(const std::string& file) const;
  Result<std::optional<LineSource>> OpenNext();
  Result<bool> SourceIsCurrent() const;
  Result<Staged> ReadStaged(const platform::FileIdentity& file) const;
  Status NoteWhereSourceWent();
};

Result<std::optional<LineSource>> Reader::State::Open(const std::string& file) const {
  Result<confine::File> opened = directory.Open(file, confine::OpenMode::kRead);
  if (IsMissing(opened)) return std::optional<LineSource>();
  if (!opened) return opened.error();
  const auto read_staged = [this](const platform::FileIdentity& id) { return ReadStaged(id); };
  TRY_ASSIGN(LineSource source, LineSource::Open(std::move(*opened), prefix + file, read_staged));
  return std::optional<LineSource>(std::move(source));
}

// What comes after last_number. The current file is opened before the older ones are
// listed: if it is left between the two, it is on the list, and the list counts.
Result<std::optional<LineSource>> Reader::State::OpenNext() {
  TRY_ASSIGN(std::optional<LineSource> current, Open(name));
  TRY_ASSIGN(const std::vector<OlderFile> older, ListOlderFiles(directory, name));
  for (const OlderFile& file : older) {
    if (file.number <= last_number) continue;
    TRY_ASSIGN(std::optional<LineSource> found, Open(file.name));
    if (!found) continue;  // archived a moment ago
    last_number = file.number;
    source_is_older = true;
    return found;
  }
  source_is_older = false;
  return current;
}

// Under the lock of all writers, so that the head is of one moment and tells of the file
// that has the name just now.
Result<Staged> Reader::State::ReadStaged(const platform::FileIdentity& file) const {
  Result<confine::File> head = directory.Open(name + ".head", confine::OpenMode::kRead);
  if (IsMissing(head)) return Staged();
  if (!head) return head.error();
  TRY_ASSIGN(const platform::FileLock lock,
             platform::FileLock::Take(head->descriptor(), platform::FileLock::Kind::kShared));
  const auto newest = directory.Stat(name, confine::FinalSymlink::kFollow);
  if (IsMissing(newest)) return Staged();
  if (!newest) return newest.error();
  if (newest->identity != file) return Staged();
  std::string bytes(kHeadSize, '\0');
  TRY_ASSIGN(const std::size_t size, head->ReadAt(0, bytes));
  return ReadStagedUnchecked(std::string_view(bytes).substr(0, size));
}

Result<bool> Reader::State::SourceIsCurrent() const {
  if (source_is_older) return false;
  const Result<platform::FileStat> stat = directory.Stat(name, confine::FinalSymlink::kFollow);
  if (IsMissing(stat)) return false;
  if (!stat) return stat.error();
  return stat->identity == source->identity();
}

// The source was the current file and is not any more. If it stands nowhere, someone
// took it away, and the next is the oldest that was not begun.
Status Reader::State::NoteWhereSourceWent() {
  if (source_is_older) return {};
  TRY_ASSIGN(const std::vector<OlderFile> older, ListOlderFiles(directory, name));
  for (const OlderFile& file : older) {
    if (file.number <= last_number) continue;
    const auto stat = directory.Stat(file.name, confine::FinalSymlink::kFollow);
    if (IsMissing(stat)) continue;
    if (!stat) return stat.error();
    if (stat->identity != source->identity()) continue;
    last_number = file.number;
    return {};
  }
  return {};
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::Open(const std::string& log_file, confine::AmbientAuthority authority) {
  const std::size_t slash = log_file.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : log_file.substr(0, slash + 1);
  const std::string name = log_file.substr(slash == std::string::npos ? 0 : slash + 1);
  if (name.empty() || name == "." || name == "..") return NoLog(log_file);
  Result<confine::Root> directory = confine::Root::OpenAmbient(parent, ForReading(), authority);
  if (IsMissing(directory)) return NoLog(log_file);
  if (!directory) return directory.error();
  auto state = std::make_unique<State>(
      State{std::move(*directory), slash == std::string::npos ? "" : parent, name, std::nullopt});
  TRY_ASSIGN(const std::optional<LineSource> first, state->OpenNext());
  if (!first) return NoLog(log_file);
  state->last_number = 0;
  return Reader(std::move(state));
}

Status Reader::ReadNew(const std::function<ReadOn(const Line&)>& line) {
  for (;;) {
    if (!state_->source) {
      TRY_ASSIGN(state_->source, state_->OpenNext());
      if (!state_->source) return {};  // between two files
    }
    TRY_ASSIGN(ReadOn read_on, state_->source->Read(line));
    if (read_on == ReadOn::kStop) return {};
    TRY_ASSIGN(const bool is_current, state_->SourceIsCurrent());
    if (is_current) return {};
    TRY(state_->NoteWhereSourceWent());
    // What was written before it was left, and after it was read.
    TRY_ASSIGN(read_on, state_->source->Read(line));
    if (read_on == ReadOn::kStop) return {};
    state_->source.reset();
  }
}

Status Reader::SkipToLast(std::size_t count) {
  State& state = *state_;
  TRY_ASSIGN(std::optional<LineSource> file, state.Open(state.name));
  TRY_ASSIGN(std::vector<OlderFile> older, ListOlderFiles(state.directory, state.name));
  state.source_is_older = false;
  state.last_number = older.empty() ? 0 : older.back().number;
  for (;;) {
    if (file) {
      TRY_ASSIGN(const std::size_t lines, file->Skip(std::numeric_limits<std::size_t>::max()));
      if (lines >= count) {
        file->Rewind();
        TRY_ASSIGN(const std::size_t skipped, file->Skip(lines - count));
        static_cast<void>(skipped);
        state.source = std::move(file);
        return {};
      }
      count -= lines;
    }
    if (older.empty()) break;
    const platform::FileIdentity newer = file ? file->identity() : platform::FileIdentity{};
    TRY_ASSIGN(file, state.Open(older.back().name));
    // Left between being opened and being listed: it was counted.
    if (file && file->identity() == newer) file.reset();
    state.source_is_older = true;
    state.last_number = older.back().number;
    older.pop_back();
  }
  state.source.reset();
  state.last_number = 0;
  return {};
}

}  // namespace cordon::audit
