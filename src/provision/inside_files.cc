#include "provision/inside_files.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "confine/root_elsewhere.h"
#include "provision/inside_search.h"

namespace cordon::provision {
namespace {

using confine::Expected;
using inside::FieldReader;
using inside::FieldWriter;
using inside::FileOp;
using platform::FileStat;

constexpr std::size_t kMostShort = std::size_t{128} << 10;  // of answers without content
constexpr std::size_t kMostContent = std::size_t{512} << 10;
constexpr std::size_t kMostNames = std::size_t{32} << 20;
constexpr std::size_t kMostPath = std::size_t{64} << 10;
constexpr std::size_t kMostAppended = std::size_t{64} << 20;

Error Nonsense() {
  Error error;
  error.op = "inside";
  error.detail = "the sandbox's answer is not what was asked for";
  return error;
}

// Held open there until this goes.
class Held {
 public:
  Held(std::shared_ptr<InsideChannel> channel, std::uint64_t number)
      : channel_(std::move(channel)), number_(number) {}
  ~Held() { channel_->Release(number_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  InsideChannel& channel() const { return *channel_; }
  std::uint64_t number() const { return number_; }

 private:
  const std::shared_ptr<InsideChannel> channel_;
  const std::uint64_t number_;
};

class OpenInside final : public confine::FileElsewhere {
 public:
  // Without `held`, `first` is all of it.
  OpenInside(const FileStat& stat, std::string first, std::unique_ptr<const Held> held)
      : stat_(stat), first_(std::move(first)), held_(std::move(held)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset < first_.size()) {
      const std::size_t count = std::min<std::size_t>(buffer.size(), first_.size() - offset);
      std::copy_n(first_.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer.begin());
      return count;
    }
    if (!held_ || buffer.empty()) return std::size_t{0};
    TRY_ASSIGN(const InsideAnswer answer, held_->channel().Ask(FieldWriter(FileOp::kReadAt)
                                                                   .Number(held_->number())
                                                                   .Number(offset)
                                                                   .Number(buffer.size())
                                                                   .Take(),
                                                               kMostContent));
    FieldReader fields = answer.fields();
    const std::string_view bytes = fields.Text();
    if (!fields.complete() || bytes.size() > buffer.size()) return Nonsense();
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    return bytes.size();
  }
  Result<FileStat> Stat() const override { return stat_; }

 private:
  const FileStat stat_;
  const std::string first_;
  const std::unique_ptr<const Held> held_;
};

// Small ones are sent at once with their commit; of large ones, no more is held here than that.
class ReplacementInside final : public confine::ReplacementElsewhere {
 public:
  ReplacementInside(std::shared_ptr<InsideChannel> channel, std::string_view path,
                    Expected expected)
      : channel_(std::move(channel)), path_(path), expected_(std::move(expected)) {}

  Status Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), inside::kFirstBytes - content_.size());
      content_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (content_.size() == inside::kFirstBytes) TRY(SendPiece());
    }
    return {};
  }
  Status SetMode(std::uint32_t mode) override {
    mode_ = mode;
    return {};
  }
  Status SetTerms(const confine::FileTerms& terms) override {
    terms_ = terms;
    return {};
  }
  Status Commit() override {
    if (!begun_) {
      FieldWriter request(FileOp::kWriteFile);
      request.Text(path_).Put(expected_).Put(mode_).Put(terms_).Text(content_);
      TRY(channel_->Ask(request.Take(), kMostShort));
      return {};
    }
    if (!content_.empty()) TRY(SendPiece());
    TRY(channel_->Ask(
        FieldWriter(FileOp::kCommit).Number(begun_->number()).Put(mode_).Put(terms_).Take(),
        kMostShort));
    return {};
  }

 private:
  Status SendPiece() {
    if (!begun_) {
      FieldWriter request(FileOp::kReplace);
      request.Text(path_).Put(expected_);
      TRY_ASSIGN(const InsideAnswer answer, channel_->Ask(request.Take(), kMostShort));
      FieldReader fields = answer.fields();
      const std::uint64_t number = fields.Number();
      if (!fields.complete()) return Nonsense();
      begun_ = std::make_unique<const Held>(channel_, number);
    }
    FieldWriter piece(FileOp::kPiece);
    piece.Number(begun_->number()).Text(content_);
    content_.clear();
    return channel_->Tell(piece.Take());
  }

  const std::shared_ptr<InsideChannel> channel_;
  const std::string path_;
  const Expected expected_;
  std::string content_;  // not yet sent
  std::optional<std::uint32_t> mode_;
  std::optional<confine::FileTerms> terms_;
  std::unique_ptr<const Held> begun_;
};

class FilesInside final : public confine::RootElsewhere {
 public:
  FilesInside(ToolStarter start, const confine::RootOptions& options)
      : crew_(std::make_shared<InsideCrew>(std::move(start), options)) {}

  Result<confine::File> OpenRead(std::string_view untrusted,
                                 const Expected& expected) const override;
  Result<confine::Replacement> Replace(std::string_view untrusted,
                                       const Expected& expected) const override {
    TRY_ASSIGN(std::shared_ptr<InsideChannel> channel, crew_->Member());
    return confine::Replacement(
        std::make_unique<ReplacementInside>(std::move(channel), untrusted, expected));
  }
  Status Append(std::string_view untrusted, std::string_view bytes,
                const Expected& expected) const override;
  Result<FileStat> Stat(std::string_view untrusted, confine::FinalSymlink final,
                        const Expected& expected) const override;
  Result<std::vector<confine::DirectoryEntry>> List(std::string_view untrusted, std::size_t limit,
                                                    const Expected& expected) const override;
  Status Walk(std::string_view untrusted, const confine::WalkLimits& limits,
              const std::function<confine::WalkStep(const confine::WalkEntry&)>& visit,
              const Expected& expected) const override;
  Result<confine::SearchOutcome> Search(std::string_view untrusted,
                                        const confine::SearchTerms& terms,
                                        confine::SearchVisitor& visitor,
                                        const std::function<Status(std::string_view)>& begin,
                                        const Expected& expected) const override {
    return SearchInside(*this, *crew_, {untrusted, terms, expected}, visitor, begin);
  }
  Status Mkdir(std::string_view untrusted, std::uint32_t mode,
               const Expected& expected) const override {
    return Change(FieldWriter(FileOp::kMkdir).Text(untrusted).Number(mode).Put(expected));
  }
  Status MkdirExactly(std::string_view untrusted, std::uint32_t mode,
                      const Expected& expected) const override {
    return Change(FieldWriter(FileOp::kMkdirExactly).Text(untrusted).Number(mode).Put(expected));
  }
  Status MkdirAll(std::string_view untrusted, std::uint32_t mode) const override {
    return Change(FieldWriter(FileOp::kMkdirAll).Text(untrusted).Number(mode));
  }
  Status Rename(std::string_view from, std::string_view to, const Expected& expected_from,
                const Expected& expected_to) const override {
    return Change(
        FieldWriter(FileOp::kRename).Text(from).Text(to).Put(expected_from).Put(expected_to));
  }
  Status Remove(std::string_view untrusted, const Expected& expected) const override {
    return Change(FieldWriter(FileOp::kRemove).Text(untrusted).Put(expected));
  }
  Status RemoveAll(std::string_view untrusted, const Expected& expected) const override {
    return Change(FieldWriter(FileOp::kRemoveAll).Text(untrusted).Put(expected));
  }
  Result<std::string> ReadLink(std::string_view untrusted, const Expected& expected) const override;
  Status Symlink(std::string_view target, std::string_view untrusted, const Expected& expected,
                 confine::LinkText text) const override {
    return Change(
        FieldWriter(FileOp::kSymlink).Text(target).Text(untrusted).Put(expected).Choice(text));
  }
  Result<confine::Probed> Probe(std::string_view untrusted, Operation operation,
                                std::optional<Operation> judged_as) const override;

 private:
  Result<InsideAnswer> Ask(FieldWriter& request, std::size_t most) const {
    TRY_ASSIGN(InsideCrew::Told told, crew_->Question(request.Take(), most));
    return std::move(told.answer);
  }
  Status Change(FieldWriter& request) const {
    TRY_ASSIGN(const std::shared_ptr<InsideChannel> channel, crew_->Member());
    TRY(channel->Ask(request.Take(), kMostShort));
    return {};
  }

  const std::shared_ptr<InsideCrew> crew_;
};

Result<confine::File> FilesInside::OpenRead(std::string_view untrusted,
                                            const Expected& expected) const {
  TRY_ASSIGN(InsideCrew::Told told,
             crew_->Question(FieldWriter(FileOp::kOpen).Text(untrusted).Put(expected).Take(),
                             kMostContent));
  FieldReader fields = told.answer.fields();
  const std::string_view path = fields.Text();
  const FileStat stat = fields.Stat();
  const std::uint64_t number = fields.Number();
  const std::string_view first = fields.Text();
  if (!fields.complete() || path.size() > kMostPath || stat.type != platform::FileType::kRegular) {
    return Nonsense();
  }
  std::unique_ptr<const Held> held;
  if (number != 0) held = std::make_unique<const Held>(std::move(told.channel), number);
  return confine::File(
      std::make_shared<const OpenInside>(stat, std::string(first), std::move(held)), path);
}

Status FilesInside::Append(std::string_view untrusted, std::string_view bytes,
                           const Expected& expected) const {
  if (bytes.size() > kMostAppended) {
    Error error;
    error.code = ErrorCode::kTooLarge;
    error.op = "append";
    error.detail = "this is more than can be appended at once";
    return error;
  }
  return Change(FieldWriter(FileOp::kAppend).Text(untrusted).Put(expected).Text(bytes));
}

Result<FileStat> FilesInside::Stat(std::string_view untrusted, confine::FinalSymlink final,
                                   const Expected& expected) const {
  TRY_ASSIGN(
      const InsideAnswer answer,
      Ask(FieldWriter(FileOp::kStat).Text(untrusted).Choice(final).Put(expected), kMostShort));
  FieldReader fields = answer.fields();
  const FileStat stat = fields.Stat();
  if (!fields.complete()) return Nonsense();
  return stat;
}

Result<std::vector<confine::DirectoryEntry>> FilesInside::List(std::string_view untrusted,
                                                               std::size_t limit,
                                                               const Expected& expected) const {
  TRY_ASSIGN(
      const InsideAnswer answer,
      Ask(FieldWriter(FileOp::kList).Text(untrusted).Number(limit).Put(expected), kMostNames));
  FieldReader fields = answer.fields();
  std::vector<confine::DirectoryEntry> entries;
  while (fields.more()) {
    if (entries.size() >= limit) return Nonsense();
    confine::DirectoryEntry entry;
    entry.name = fields.Text();
    entry.type = fields.Choice(platform::FileType::kDevice);
    if (!IsBareName(entry.name)) return Nonsense();
    entries.push_back(std::move(entry));
  }
  if (!fields.complete()) return Nonsense();
  return entries;
}

Status FilesInside::Walk(std::string_view untrusted, const confine::WalkLimits& limits,
                         const std::function<confine::WalkStep(const confine::WalkEntry&)>& visit,
                         const Expected& expected) const {
  FieldWriter request(FileOp::kWalk);
  request.Text(untrusted).Number(limits.max_entries).Number(limits.max_depth).Put(expected);
  TRY_ASSIGN(const InsideAnswer answer, Ask(request, kMostNames));
  FieldReader fields = answer.fields();
  std::string skipped;  // with its slash
  std::size_t count = 0;
  while (fields.more()) {
    const std::string_view path = fields.Text();
    const FileStat stat = fields.Stat();
    if (!fields.good() || ++count > limits.max_entries || !IsPathBelow(path)) return Nonsense();
    if (!skipped.empty() && path.starts_with(skipped)) continue;
    switch (visit({path, stat})) {
      case confine::WalkStep::kContinue: break;
      case confine::WalkStep::kSkipBelow: skipped.assign(path).append("/"); break;
      case confine::WalkStep::kStop: return {};
    }
  }
  return fields.complete() ? Status() : Status(Nonsense());
}

Result<std::string> FilesInside::ReadLink(std::string_view untrusted,
                                          const Expected& expected) const {
  TRY_ASSIGN(const InsideAnswer answer,
             Ask(FieldWriter(FileOp::kReadLink).Text(untrusted).Put(expected), kMostShort));
  FieldReader fields = answer.fields();
  std::string text(fields.Text());
  if (!fields.complete()) return Nonsense();
  return text;
}

Result<confine::Probed> FilesInside::Probe(std::string_view untrusted, Operation operation,
                                           std::optional<Operation> judged_as) const {
  FieldWriter request(FileOp::kProbe);
  request.Text(untrusted).Choice(operation).Byte(judged_as ? 1 : 0);
  if (judged_as) request.Choice(*judged_as);
  TRY_ASSIGN(InsideCrew::Told told, crew_->Question(request.Take(), kMostShort));
  FieldReader fields = told.answer.fields();
  confine::Probed probed;
  probed.path = fields.Text();
  probed.exists = fields.Byte() != 0;
  probed.stat = fields.Stat();
  probed.directory.device = fields.Number();
  probed.directory.inode = fields.Number();
  const std::uint64_t number = fields.Number();
  if (!fields.complete() || (!probed.path.empty() && !IsPathBelow(probed.path))) return Nonsense();
  probed.held_elsewhere = std::make_shared<const Held>(std::move(told.channel), number);
  return probed;
}

}  // namespace

confine::Root RootInside(ToolStarter start, const confine::RootOptions& options) {
  return confine::Root::OfElsewhere(std::make_shared<const FilesInside>(std::move(start), options),
                                    options);
}

}  // namespace cordon::provision
