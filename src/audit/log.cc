#include "audit/log.h"

#include <optional>
#include <utility>

#include "audit/combiner.h"
#include "audit/deferral.h"
#include "audit/failure.h"
#include "audit/files.h"
#include "audit/flusher.h"
#include "audit/key.h"
#include "audit/writer.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

using platform::MissingDirectory;

Result<bool> IsThere(const LogFiles& files) {
  for (const std::string& name : {files.head_name(), files.name()}) {
    TRY_ASSIGN(const bool exists, files.Exists(name));
    if (exists) return true;
  }
  TRY_ASSIGN(const auto left, files.Left());
  return !left.empty();
}

Result<Key> KeyFor(const LogFiles& files, const NamedPlace& place) {
  // In this order: whoever makes a log has made the key before.
  TRY_ASSIGN(const bool log_exists, IsThere(files));
  if (!log_exists) return Key::ReadOrMake(place);
  auto key = Key::Read(place);
  if (!key && key.error().code == ErrorCode::kNotFound) {
    Error error;
    error.op = "audit";
    error.rule = "audit";
    error.component = place.name;
    error.detail = "the audit log has no key: " + place.name +
                   " is gone; put it back, or move the log away to begin a new one";
    return error;
  }
  return key;
}

Result<std::unique_ptr<Writer>> OpenWriter(const LogPlace& place, const LogOptions& options,
                                           confine::AmbientAuthority authority) {
  TRY_ASSIGN(NamedPlace log_place, OpenPlace(place.log_file, MissingDirectory::kMake, authority));
  TRY_ASSIGN(const NamedPlace key_place,
             OpenPlace(place.key_file, MissingDirectory::kMake, authority));
  LogFiles files(std::move(log_place));
  TRY_ASSIGN(const Key key, KeyFor(files, key_place));
  return Writer::Open(std::move(files), key, options);
}

class QueuedRecord final : public Receipt {
 public:
  QueuedRecord(Combiner& combiner, Flusher& flusher) : combiner_(combiner), flusher_(flusher) {}
  ~QueuedRecord() override { static_cast<void>(QueuedRecord::Await()); }
  QueuedRecord(const QueuedRecord&) = delete;
  QueuedRecord& operator=(const QueuedRecord&) = delete;

  Status Begin(const Record& record) {
    Status queued = combiner_.Queue(entry_, record);
    if (queued) ended_.reset();
    return queued;
  }

  Status Await() override {
    if (ended_) return *ended_;
    const auto written = combiner_.Await(entry_);
    if (written) flusher_.Touch();
    ended_ = written ? Status() : Status(written.error());
    return *ended_;
  }

 private:
  Combiner& combiner_;
  Flusher& flusher_;
  Combiner::Entry entry_;
  std::optional<Status> ended_ = Status();  // unset: it is in the queue, and must be awaited
};

}  // namespace

struct Log::State {
  explicit State(std::unique_ptr<Writer> opened, const LogOptions& options)
      : writer(std::move(opened)), combiner(*writer), flusher(*writer, options.flush_after) {}

  std::unique_ptr<Writer> writer;
  Combiner combiner;
  Flusher flusher;
};

Log::Log(std::unique_ptr<State> state) : state_(std::move(state)) {}
Log::~Log() = default;

Result<std::shared_ptr<Log>> Log::Open(const LogPlace& place, const LogOptions& options,
                                       confine::AmbientAuthority authority) {
  auto writer = OpenWriter(place, options, authority);
  if (!writer) return CannotOpen(writer.error());
  auto state = std::make_unique<State>(std::move(*writer), options);
  state->flusher.Touch();  // what a killed writer left is not on the disk yet
  return std::shared_ptr<Log>(new Log(std::move(state)));
}

Result<std::uint64_t> Log::Append(const Record& record, Durability durability) {
  if (record.event == Event::kLogOpened || record.event == Event::kLogRotated) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "audit";
    error.rule = "audit";
    error.detail = "records of this kind are the log's own";
    return error;
  }
  Deferral* const deferral =
      durability == Durability::kWithKernel ? Deferral::For(record) : nullptr;
  if (deferral != nullptr) {
    auto receipt = std::make_unique<QueuedRecord>(state_->combiner, state_->flusher);
    TRY(receipt->Begin(record));
    deferral->Add(std::move(receipt));
    return std::uint64_t{0};
  }
  auto seq = state_->combiner.Append(record);
  if (!seq) return seq;
  if (durability == Durability::kWithKernel) {
    state_->flusher.Touch();
    return seq;
  }
  TRY(state_->flusher.FlushThrough(*seq));
  return seq;
}

Status Log::Flush() { return state_->flusher.FlushThrough(state_->writer->LastSeq()); }

}  // namespace cordon::audit
