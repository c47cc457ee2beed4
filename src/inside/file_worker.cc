#include "inside/file_worker.h"

#include <utility>
#include <vector>

#include "base/try.h"
#include "confine/ambient_authority.h"
#include "confine/search_visitor.h"
#include "platform/child_process.h"
#include "platform/file_io.h"

namespace cordon::inside {
namespace {

constexpr int kInput = 0, kOutput = 1;
constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kMostRead = kLongestMessage - 64;
constexpr const char* kWorkspace = "/workspace";

Error NotUnderstood() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "inside";
  error.detail = "a request cannot be read";
  return error;
}

FieldWriter Done() { return FieldWriter(Answer::kDone); }

Result<FieldWriter> DoneIf(const Status& done) {
  if (!done) return done.error();
  return Done();
}

Result<std::string> Begins(const confine::File& file) {
  std::string first(kFirstBytes, '\0');
  std::size_t size = 0;
  while (size < first.size()) {
    TRY_ASSIGN(const std::size_t count,
               file.ReadAt(size, std::span(first.data() + size, first.size() - size)));
    if (count == 0) break;
    size += count;
  }
  first.resize(size);
  return first;
}

// One directory, and what is known of those above it.
class Onlooker final : public confine::SearchVisitor {
 public:
  using Note = std::shared_ptr<const confine::SearchNote>;
  Note PassThrough(const confine::SearchDirectory& directory, Note /*above*/) override {
    above.emplace_back(directory.path_in_root(), directory.is_repository());
    return nullptr;
  }
  Note Enter(std::size_t /*worker*/, const confine::SearchDirectory& directory, Note /*above*/,
             std::span<confine::SearchEntry> entries) override {
    is_repository = directory.is_repository();
    for (confine::SearchEntry& entry : entries) {
      names.emplace_back(entry.name, entry.type);
      entry.choice = confine::SearchChoice::kPassOver;
    }
    return nullptr;
  }
  void Visit(std::size_t /*worker*/, const confine::SearchDirectory& /*directory*/,
             const confine::SearchEntry& entry) override {
    names.emplace_back(entry.name, entry.type);
  }
  bool Wants(std::string_view /*directory*/, std::string_view /*name*/) const override {
    return false;
  }

  std::vector<std::pair<std::string, bool>> above;
  std::vector<std::pair<std::string, platform::FileType>> names;
  bool is_repository = false;
};

}  // namespace

Result<std::optional<std::string>> FileWorker::Do(std::string_view request) {
  FieldReader fields(request);
  const FileOp op = fields.Choice(kLastFileOp);
  if (!fields.good() || (op == FileOp::kBegin) == root_.has_value()) return NotUnderstood();
  if (op == FileOp::kPiece || op == FileOp::kRelease) {
    op == FileOp::kPiece ? Piece(fields) : Release(fields);
    return std::optional<std::string>();
  }
  Result<FieldWriter> answer = Perform(op, fields);
  if (answer) return std::optional(answer->Take());
  return std::optional(FieldWriter(Answer::kError).Put(answer.error()).Take());
}

Result<FieldWriter> FileWorker::Perform(FileOp op, FieldReader& fields) {
  switch (op) {
    case FileOp::kBegin: return Begin(fields);
    case FileOp::kOpen:
    case FileOp::kReadAt:
    case FileOp::kStat:
    case FileOp::kList:
    case FileOp::kWalk:
    case FileOp::kLook:
    case FileOp::kReadLink:
    case FileOp::kProbe: return Read(op, fields);
    case FileOp::kReplace:
    case FileOp::kCommit:
    case FileOp::kWriteFile:
    case FileOp::kAppend: return Write(op, fields);
    default: return Change(op, fields);
  }
}

Result<FieldWriter> FileWorker::Begin(FieldReader& fields) {
  TRY_ASSIGN(confine::RootOptions options, fields.Options());
  if (!fields.complete()) return NotUnderstood();
  // Nothing in a sandbox may mount, and gVisor does not tell mounts apart, nor exchange names.
  options.mounts = policy::Mounts::kAllow;
  options.mounts_below = confine::RootOptions::MountsBelow::kNone;
  options.without_exchange = confine::RootOptions::WithoutExchange::kLookFirst;
  TRY_ASSIGN(root_, confine::Root::OpenAmbient(directory_, std::move(options),
                                               confine::AmbientAuthority::OfThisProcess()));
  return Done();
}

Result<FieldWriter> FileWorker::Read(FileOp op, FieldReader& fields) {
  switch (op) {
    case FileOp::kOpen: return Open(fields);
    case FileOp::kReadAt: return ReadAt(fields);
    case FileOp::kList: return List(fields);
    case FileOp::kWalk: return Walk(fields);
    case FileOp::kLook: return Look(fields);
    case FileOp::kProbe: return Probe(fields);
    default: break;
  }
  const std::string_view path = fields.Text();
  if (op == FileOp::kReadLink) {
    const confine::Expected expected = fields.Expected();
    if (!fields.complete()) return NotUnderstood();
    TRY_ASSIGN(const std::string text, root_->ReadLink(path, expected));
    return Done().Text(text);
  }
  const auto final = fields.Choice(confine::FinalSymlink::kNoFollow);
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  TRY_ASSIGN(const platform::FileStat stat, root_->Stat(path, final, expected));
  return Done().Put(stat);
}

Result<FieldWriter> FileWorker::Open(FieldReader& fields) {
  const std::string_view path = fields.Text();
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  TRY_ASSIGN(confine::File file, root_->Open(path, confine::OpenMode::kRead, expected));
  TRY_ASSIGN(const platform::FileStat stat, file.Stat());
  TRY_ASSIGN(const std::string first, Begins(file));
  const std::string below = file.path();
  // What is all there need not be held.
  const bool whole = first.size() < kFirstBytes;
  const std::uint64_t number = whole ? 0 : Hold({std::move(file)});
  return Done().Text(below).Put(stat).Number(number).Text(first);
}

Result<FieldWriter> FileWorker::ReadAt(FieldReader& fields) {
  const std::uint64_t number = fields.Number();
  const std::uint64_t offset = fields.Number();
  const std::uint64_t count = std::min<std::uint64_t>(fields.Number(), kMostRead);
  const auto found = held_.find(number);
  if (!fields.complete() || found == held_.end()) return NotUnderstood();
  const auto* const file = std::get_if<confine::File>(&found->second.held);
  if (file == nullptr) return NotUnderstood();
  std::string bytes(count, '\0');
  TRY_ASSIGN(const std::size_t got, file->ReadAt(offset, bytes));
  bytes.resize(got);
  return Done().Text(bytes);
}

Result<FieldWriter> FileWorker::List(FieldReader& fields) {
  const std::string_view path = fields.Text();
  const std::uint64_t limit = fields.Number();
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  TRY_ASSIGN(const std::vector<confine::DirectoryEntry> entries,
             root_->List(path, limit, expected));
  FieldWriter answer = Done();
  for (const confine::DirectoryEntry& entry : entries) answer.Text(entry.name).Choice(entry.type);
  return answer;
}

Result<FieldWriter> FileWorker::Walk(FieldReader& fields) {
  const std::string_view path = fields.Text();
  confine::WalkLimits limits;
  limits.max_entries = fields.Number();
  limits.max_depth = fields.Number();
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  FieldWriter answer = Done();
  TRY(root_->Walk(
      path, limits,
      [&](const confine::WalkEntry& entry) {
        answer.Text(entry.path).Put(entry.stat);
        return confine::WalkStep::kContinue;
      },
      expected));
  return answer;
}

Result<FieldWriter> FileWorker::Look(FieldReader& fields) {
  const std::string_view path = fields.Text();
  confine::SearchTerms terms;
  terms.reach = fields.Choice(confine::SearchReach::kContents);
  terms.max_entries = fields.Number();
  terms.workers = 1;
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  Onlooker seen;
  std::string start;
  const auto begin = [&](std::string_view true_path) {
    start = true_path;
    return Status();
  };
  TRY_ASSIGN(const confine::SearchOutcome outcome,
             root_->Search(path, terms, seen, begin, expected));
  if (outcome.failed > 0) {
    Error error;
    error.code = outcome.failures.empty() ? ErrorCode::kIoError : outcome.failures.front().code;
    error.op = "search";
    error.detail = "the directory cannot be looked into";
    return error;
  }
  FieldWriter answer = Done();
  answer.Choice(outcome.start).Text(start).Byte(outcome.limited ? 1 : 0).Number(outcome.entries);
  answer.Number(seen.above.size());
  for (const auto& [above, repository] : seen.above) answer.Text(above).Byte(repository ? 1 : 0);
  answer.Byte(seen.is_repository ? 1 : 0);
  for (const auto& [name, type] : seen.names) answer.Text(name).Choice(type);
  return answer;
}

Result<FieldWriter> FileWorker::Probe(FieldReader& fields) {
  const std::string_view path = fields.Text();
  const auto operation = fields.Choice(Operation::kRename);
  std::optional<Operation> judged_as;
  if (fields.Byte() != 0) judged_as = fields.Choice(Operation::kRename);
  if (!fields.complete()) return NotUnderstood();
  TRY_ASSIGN(confine::Probed probed, root_->Probe(path, operation, judged_as));
  FieldWriter answer = Done();
  answer.Text(probed.path).Byte(probed.exists ? 1 : 0).Put(probed.stat);
  answer.Number(probed.directory.device).Number(probed.directory.inode);
  return std::move(answer.Number(Hold({std::move(probed)})));
}

Result<FieldWriter> FileWorker::Write(FileOp op, FieldReader& fields) {
  if (op == FileOp::kReplace || op == FileOp::kWriteFile) return Replace(op, fields);
  if (op == FileOp::kCommit) return Commit(fields);
  const std::string_view path = fields.Text();
  const confine::Expected expected = fields.Expected();
  const std::string_view bytes = fields.Text();
  if (!fields.complete()) return NotUnderstood();
  return DoneIf(root_->Append(path, bytes, expected));
}

Result<FieldWriter> FileWorker::Replace(FileOp op, FieldReader& fields) {
  const std::string_view path = fields.Text();
  const confine::Expected expected = fields.Expected();
  if (op == FileOp::kReplace) {
    if (!fields.complete()) return NotUnderstood();
    TRY_ASSIGN(confine::Replacement begun, root_->Replace(path, expected));
    return Done().Number(Hold({std::move(begun)}));
  }
  const std::optional<std::uint32_t> mode = fields.Mode();
  const std::optional<confine::FileTerms> terms = fields.Terms();
  const std::string_view bytes = fields.Text();
  if (!fields.complete()) return NotUnderstood();
  TRY_ASSIGN(confine::Replacement next, root_->Replace(path, expected));
  TRY(next.Write(bytes));
  if (mode) TRY(next.SetMode(*mode));
  if (terms) TRY(next.SetTerms(*terms));
  return DoneIf(next.Commit());
}

void FileWorker::Piece(FieldReader& fields) {
  const auto found = held_.find(fields.Number());
  const std::string_view bytes = fields.Text();
  if (found == held_.end()) return;
  auto* const next = std::get_if<confine::Replacement>(&found->second.held);
  if (next == nullptr || !found->second.so_far) return;
  found->second.so_far = fields.complete() ? next->Write(bytes) : Status(NotUnderstood());
}

Result<FieldWriter> FileWorker::Commit(FieldReader& fields) {
  const auto found = held_.find(fields.Number());
  const std::optional<std::uint32_t> mode = fields.Mode();
  const std::optional<confine::FileTerms> terms = fields.Terms();
  if (!fields.complete() || found == held_.end()) return NotUnderstood();
  Kept kept = std::move(found->second);
  held_.erase(found);
  auto* const next = std::get_if<confine::Replacement>(&kept.held);
  if (next == nullptr) return NotUnderstood();
  TRY(std::move(kept.so_far));
  if (mode) TRY(next->SetMode(*mode));
  if (terms) TRY(next->SetTerms(*terms));
  return DoneIf(next->Commit());
}

Result<FieldWriter> FileWorker::Change(FileOp op, FieldReader& fields) {
  const std::string_view path = fields.Text();
  switch (op) {
    case FileOp::kMkdir:
    case FileOp::kMkdirExactly: {
      const auto mode = static_cast<std::uint32_t>(fields.Number());
      const confine::Expected expected = fields.Expected();
      if (!fields.complete()) return NotUnderstood();
      return DoneIf(op == FileOp::kMkdir ? root_->Mkdir(path, mode, expected)
                                         : root_->MkdirExactly(path, mode, expected));
    }
    case FileOp::kMkdirAll: {
      const auto mode = static_cast<std::uint32_t>(fields.Number());
      if (!fields.complete()) return NotUnderstood();
      return DoneIf(root_->MkdirAll(path, mode));
    }
    case FileOp::kRename: {
      const std::string_view to = fields.Text();
      const confine::Expected expected_from = fields.Expected();
      const confine::Expected expected_to = fields.Expected();
      if (!fields.complete()) return NotUnderstood();
      return DoneIf(root_->Rename(path, *root_, to, expected_from, expected_to));
    }
    case FileOp::kSymlink: {
      const std::string_view at = fields.Text();
      const confine::Expected expected = fields.Expected();
      const auto text = fields.Choice(confine::LinkText::kAsItWas);
      if (!fields.complete()) return NotUnderstood();
      return DoneIf(root_->Symlink(path, at, expected, text));
    }
    default: break;
  }
  const confine::Expected expected = fields.Expected();
  if (!fields.complete()) return NotUnderstood();
  return DoneIf(op == FileOp::kRemove ? root_->Remove(path, expected)
                                      : root_->RemoveAll(path, expected));
}

std::uint64_t FileWorker::Hold(Kept kept) {
  if (held_.size() >= kMostHeldOpen) held_.erase(held_.begin());
  held_.emplace(++last_, std::move(kept));
  return last_;
}

void FileWorker::Release(FieldReader& fields) {
  while (fields.more()) held_.erase(fields.Number());
}

int ServeFiles() {
  // What runs beside it has the same user, and is not to speak in its name.
  if (!platform::SetTraceable(platform::Traceable::kNo)) return 1;
  FileWorker worker(kWorkspace);
  MessageReader requests(kLongestRequest);
  std::string buffer(kPiece, '\0');
  while (true) {
    const Result<std::size_t> count = platform::Read(kInput, buffer);
    if (!count) return 1;
    if (*count == 0) return 0;
    requests.Take(std::string_view(buffer).substr(0, *count));
    while (true) {
      const Result<std::optional<std::string>> request = requests.Next();
      if (!request) return 1;
      if (!*request) break;
      const Result<std::optional<std::string>> answer = worker.Do(**request);
      if (!answer) return 1;
      if (*answer && !platform::WriteAll(kOutput, Framed(**answer))) return 1;
    }
  }
}

}  // namespace cordon::inside
