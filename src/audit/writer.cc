#include "audit/writer.h"

#include <chrono>
#include <utility>

#include "audit/failure.h"
#include "audit/stage.h"
#include "base/try.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kKeptBuffer = 1u << 20;
// How often, under load, it is looked whether the file is still there and as long as
// it must be: a call that costs a tenth of a record.
constexpr std::chrono::microseconds kCheckEvery{50};

std::int64_t NowNs() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Writer::Writer(LogFiles files, Head head, const Key& key, const LogOptions& options,
               const platform::BootId& boot)
    : files_(std::move(files)),
      head_(std::move(head)),
      mac_(key.ForLines()),
      lines_(key.ForLines()),
      options_(options),
      boot_(boot) {}

Result<std::unique_ptr<Writer>> Writer::Open(LogFiles files, const Key& key,
                                             const LogOptions& options) {
  TRY_ASSIGN(const platform::BootId boot, platform::CurrentBootId());
  TRY_ASSIGN(Head head, Head::OpenOrMake(files, key, boot));
  std::unique_ptr<Writer> writer(new Writer(std::move(files), std::move(head), key, options, boot));
  TRY_ASSIGN(const platform::FileLock lock, writer->head_.Lock());
  TRY(writer->Prepare());
  TRY(writer->TakeOver());
  if (writer->head_.image().current.seq == 0) TRY(writer->Note(Event::kLogOpened, 0));
  writer->last_seq_ = writer->head_.image().current.seq;
  return writer;
}

// Only damage lasts: a disk that is full today is not full tomorrow.
Status Writer::Latch(Status status) {
  if (!status && status.error().os_errno == 0 && status.error().rule == "audit") {
    refused_ = status.error();
  }
  return status;
}

void Writer::Refuse(const Error& error) {
  const std::lock_guard guard(mutex_);
  if (!refused_) refused_ = CannotWrite(error);
}

Status Writer::Write(std::span<Submission* const> batch) {
  const std::lock_guard guard(mutex_);
  if (refused_) return *refused_;
  auto written = WriteLocked(batch);
  if (!written) return Latch(CannotWrite(written.error()));
  return {};
}

Status Writer::WriteLocked(std::span<Submission* const> batch) {
  TRY_ASSIGN(const platform::FileLock lock, head_.Lock());
  TRY(Prepare());
  TRY(Serve());
  if (head_.image().current.offset >= options_.rotate_at) TRY(Rotate());
  TRY(Put(batch));
  last_seq_.store(head_.image().current.seq);
  return {};
}

// Of what others staged and did not bring into the file: they may have been killed.
Status Writer::TakeOver() {
  if (head_.image().current.staged() == 0) return {};
  TRY_ASSIGN(const std::string_view staged, head_.Staged());
  TRY(CheckStaged(staged, head_.image().current, mac_));
  Status drained = Drain();
  if (!drained && drained.error().os_errno == 0) return drained;
  return {};
}

// With the lock just taken: whatever others did or left behind is taken in.
Status Writer::Prepare() {
  TRY(head_.Refresh());
  const HeadImage& image = head_.image();
  if (image.under_way != UnderWay::kNothing || image.current.boot != boot_) TRY(PutRight());
  if (generation_ != head_.image().current.generation) TRY(OpenFile());
  return CheckFile();
}

Status Writer::PutRight() {
  TRY_ASSIGN(const std::string_view staged, head_.Staged());
  TRY_ASSIGN(const Recovered recovered, Recover(files_, head_.image(), staged, boot_, mac_));
  const bool power_lost = head_.image().current.boot != boot_;
  // A file of that number may be another one now.
  generation_ = 0;
  TRY(head_.Begin(UnderWay::kAppend));  // until the last of these steps
  TRY(head_.Set(Which::kCurrent, recovered.end));
  const HeadState durable = head_.image().durable;
  const bool durable_gone = power_lost || IsAfter(durable, recovered.end);
  // Also when it stays what it is: the kill may have left its two halves different.
  TRY(head_.Set(Which::kDurable, durable_gone ? recovered.end : durable));
  if (power_lost) TRY(head_.Sync());
  TRY(head_.Finish());
  if (recovered.lost == 0) return {};
  TRY(OpenFile());
  return Note(Event::kLogGap, recovered.lost);
}

Status Writer::OpenFile() {
  auto file = files_.Open(files_.name(), platform::PrivateAccess::kReadWrite);
  if (!file) {
    if (file.error().code == ErrorCode::kNotFound) return Damaged(files_.name() + " is missing");
    return file.error();
  }
  file_ = std::make_shared<const platform::UniqueFd>(std::move(*file));
  generation_ = head_.image().current.generation;
  checked_ = {};
  return {};
}

Status Writer::CheckFile() {
  const auto now = std::chrono::steady_clock::now();
  if (now - checked_ < kCheckEvery) return {};
  checked_ = now;
  TRY_ASSIGN(const platform::FileExtent stat, platform::ExtentOf(file_->get()));
  if (stat.links == 0) return Damaged(files_.name() + " was removed");
  const std::uint64_t expected = head_.image().current.written;
  if (stat.size < expected) return Damaged(files_.name() + " is shorter than it was");
  if (stat.size > expected) return Damaged(files_.name() + " is longer than what was written");
  return {};
}

HeadState Writer::AppendLines(std::span<Submission* const> batch, HeadState end) {
  buffer_.clear();
  if (buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
  for (Submission* const submission : batch) {
    submission->seq = ++end.seq;
    end.hash = lines_.Append(buffer_, end.seq, NowNs(), submission->body, end.hash);
  }
  end.offset += buffer_.size();
  end.boot = boot_;
  return end;
}

Status Writer::Put(std::span<Submission* const> batch) {
  HeadState end = AppendLines(batch, head_.image().current);
  if (!head_.HasRoomFor(buffer_.size())) TRY(Drain());
  end.written = head_.image().current.written;
  if (head_.HasRoomFor(buffer_.size())) return Stage(end);
  end.written = end.offset;
  return WriteThrough(head_.image().current.offset, buffer_, end);
}

// The bytes first: what stands in the stage counts for nothing until the head tells of it.
Status Writer::Stage(const HeadState& end) {
  TRY(head_.Stage(buffer_));
  TRY(head_.Begin(UnderWay::kAppend));
  TRY(head_.Set(Which::kCurrent, end));
  return head_.Finish();
}

// A kill before the head is told leaves a file with the beginning of what is staged behind
// its end, or all of it; Recover knows it.
Status Writer::Drain() {
  HeadState end = head_.image().current;
  if (end.staged() == 0) return {};
  TRY_ASSIGN(const std::string_view staged, head_.Staged());
  const std::uint64_t offset = std::exchange(end.written, end.offset);
  return WriteThrough(offset, staged, end);
}

Status Writer::WriteThrough(std::uint64_t offset, std::string_view bytes, const HeadState& end) {
  const HeadState before = head_.image().current;
  TRY(head_.Begin(UnderWay::kAppend));
  Status put = platform::WriteAllAt(file_->get(), offset, bytes);
  if (put) {
    put = head_.Set(Which::kCurrent, end);
    // Before the lines go: a head that may tell of them needs them.
    if (!put) TRY(head_.Set(Which::kCurrent, before));
  }
  if (!put) {
    // Nothing of it counts. If even this fails, the next writer does it.
    TRY(platform::Truncate(file_->get(), before.written));
    TRY(head_.Finish());
    return put;
  }
  return head_.Finish();
}

Status Writer::Note(Event event, std::uint64_t lost) {
  Record record;
  record.event = event;
  record.lost = lost;
  Submission submission;
  AppendBody(submission.body, record);
  Submission* const batch[] = {&submission};
  return Put(batch);
}

// The next file, with its first record, under a name of its own.
Status Writer::MakeNext(HeadState& end) {
  Record record;
  record.event = Event::kLogRotated;
  Submission submission;
  AppendBody(submission.body, record);
  Submission* const batch[] = {&submission};
  ++end.generation;
  end.offset = 0;
  end = AppendLines(batch, end);
  end.written = end.offset;
  TRY(files_.Remove(files_.next_name()));
  TRY_ASSIGN(const platform::UniqueFd next,
             files_.Open(files_.next_name(), platform::PrivateAccess::kCreateExclusive));
  TRY(platform::WriteAllAt(next.get(), 0, buffer_));
  return platform::SyncFile(next.get());
}

// A kill between any two steps leaves what Recover knows: the file under its old
// name, or under its new one with the next in place or not.
Status Writer::Rotate() {
  TRY(Drain());
  const HeadState before = head_.image().current;
  HeadState end = before;
  TRY(platform::SyncData(file_->get()));
  TRY(head_.Begin(UnderWay::kRotation));
  if (Status made = MakeNext(end); !made) {
    TRY(files_.Remove(files_.next_name()));
    TRY(head_.Finish());
    return made;
  }
  TRY(files_.Rename(files_.name(), files_.NameOf(before.generation)));
  TRY(files_.Rename(files_.next_name(), files_.name()));
  TRY(files_.Sync());
  TRY(head_.Set(Which::kCurrent, end));
  TRY(head_.Set(Which::kDurable, end));
  TRY(head_.Finish());
  TRY(head_.Sync());
  return OpenFile();
}

}  // namespace cordon::audit
