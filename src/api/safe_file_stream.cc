#include "cordon/safe_file_stream.h"

#include <utility>

#include "api/stream_buffers.h"

namespace cordon {

SafeFileStream::SafeFileStream(std::unique_ptr<api::StreamBuffer> buffer)
    : std::iostream(nullptr), buffer_(std::move(buffer)) {
  rdbuf(buffer_.get());
}

// NOLINTBEGIN(bugprone-use-after-move): the base class takes its own part alone
SafeFileStream::SafeFileStream(SafeFileStream&& other) noexcept
    : std::iostream(std::move(other)), buffer_(std::move(other.buffer_)) {
  set_rdbuf(buffer_.get());
  other.set_rdbuf(nullptr);
}

SafeFileStream& SafeFileStream::operator=(SafeFileStream&& other) noexcept {
  if (this == &other) return *this;
  std::iostream::operator=(std::move(other));
  buffer_ = std::move(other.buffer_);
  set_rdbuf(buffer_.get());
  other.set_rdbuf(nullptr);
  return *this;
}
// NOLINTEND(bugprone-use-after-move)

SafeFileStream::~SafeFileStream() = default;

Status SafeFileStream::Commit() {
  Error failed;
  failed.code = ErrorCode::kIoError;
  failed.op = "stream";
  failed.detail = "the stream had failed; nothing was changed";
  if (!buffer_) {
    failed.code = ErrorCode::kInvalidArguments;
    failed.detail = "the stream was moved away";
    return failed;
  }
  // Bytes may be missing from a stream that failed, for whatever reason.
  if ((rdstate() & (badbit | failbit)) != 0 && !buffer_->closed() && !buffer_->error() &&
      buffer_->writes()) {
    buffer_->Abandon();
    return failed;
  }
  return buffer_->Finish();
}

void SafeFileStream::close() {
  if (!Commit()) setstate(failbit);
}

bool SafeFileStream::is_open() const { return buffer_ && !buffer_->closed(); }

std::optional<Error> SafeFileStream::error() const {
  return buffer_ ? buffer_->error() : std::nullopt;
}

}  // namespace cordon
