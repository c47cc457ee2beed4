#include "guard/captured_output.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/pipe.h"

namespace cordon::guard {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

}  // namespace

void CapturedStream::Append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  size_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), room_.head - head_.size());
  head_.append(bytes.substr(0, to_head));
  tail_.append(bytes.substr(to_head));
  if (tail_.size() > 2 * room_.tail) tail_.erase(0, tail_.size() - room_.tail);
}

CapturedStream::Part CapturedStream::From(std::uint64_t start) const {
  const std::lock_guard lock(mutex_);
  Part part;
  part.end = size_;
  if (start < head_.size()) part.text = head_.substr(start);
  // The last bytes, no more than there is room for, and none that was asked past.
  const std::size_t kept = std::min(tail_.size(), room_.tail);
  const std::uint64_t tail_start = std::max<std::uint64_t>(size_ - kept, start);
  if (start >= size_) return part;
  const std::uint64_t reached = std::max<std::uint64_t>(head_.size(), start);
  part.missing = tail_start > reached ? tail_start - reached : 0;
  if (part.missing != 0) {
    part.text += "\n[" + std::to_string(part.missing) + " bytes are left out here]\n";
  }
  if (size_ > tail_start) part.text.append(tail_, tail_.size() - (size_ - tail_start));
  return part;
}

CapturedOutput::CapturedOutput(CapturedStream::Room room, std::function<void(std::uint64_t)> grown)
    : grown_(std::move(grown)), out_(room), err_(room) {}

CapturedOutput::~CapturedOutput() { Finish(); }

Result<std::unique_ptr<CapturedOutput>> CapturedOutput::Open(
    CapturedStream::Room room, std::function<void(std::uint64_t)> grown) {
  std::unique_ptr<CapturedOutput> output(new CapturedOutput(room, std::move(grown)));
  TRY_ASSIGN(output->null_, platform::OpenNullDevice());
  TRY_ASSIGN(platform::Pipe out, platform::MakePipe());
  TRY_ASSIGN(platform::Pipe err, platform::MakePipe());
  output->out_read_ = std::move(out.read);
  output->out_write_ = std::move(out.write);
  output->err_read_ = std::move(err.read);
  output->err_write_ = std::move(err.write);
  return output;
}

sandbox::Streams CapturedOutput::streams() const {
  return {null_.get(), out_write_.get(), err_write_.get()};
}

void CapturedOutput::Attach() {
  out_write_.reset();
  err_write_.reset();
  reading_out_ = std::jthread([this] { Read(out_read_.get(), out_); });
  reading_err_ = std::jthread([this] { Read(err_read_.get(), err_); });
}

void CapturedOutput::Finish() {
  if (reading_out_.joinable()) reading_out_.join();
  if (reading_err_.joinable()) reading_err_.join();
}

void CapturedOutput::Read(int from, CapturedStream& to) {
  std::array<char, kReadBytes> buffer;
  while (true) {
    const Result<std::size_t> size = platform::Read(from, buffer);
    if (!size || *size == 0) return;
    to.Append({buffer.data(), *size});
    const std::uint64_t total = total_ += *size;
    if (grown_) grown_(total);
  }
}

}  // namespace cordon::guard
