#include "api/stream_buffers.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/try.h"

namespace cordon::api {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

class ReplacingSink final : public Sink {
 public:
  explicit ReplacingSink(confine::Replacement replacement) : replacement_(std::move(replacement)) {}
  Status Write(std::string_view bytes) override { return replacement_.Write(bytes); }
  Status Finish() override { return replacement_.Commit(); }

 private:
  confine::Replacement replacement_;
};

class AppendingSink final : public Sink {
 public:
  AppendingSink(std::shared_ptr<const void> keep_alive, const confine::Root& root, std::string path)
      : keep_alive_(std::move(keep_alive)), root_(root), path_(std::move(path)) {}
  Status Write(std::string_view bytes) override { return root_.Append(path_, bytes); }
  Status Finish() override { return {}; }

 private:
  std::shared_ptr<const void> keep_alive_;
  const confine::Root& root_;
  std::string path_;
};

Error Closed() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "stream";
  error.detail = "the stream is closed";
  return error;
}

}  // namespace

Status StreamBuffer::Finish() {
  if (closed_) return error_ ? *error_ : Closed();
  closed_ = true;
  if (error_) return *error_;
  Status done = DoFinish();
  if (!done) Fail(done.error());
  return done;
}

bool StreamBuffer::Fail(Error error) {
  if (!error_) error_ = std::move(error);
  return false;
}

ReadBuffer::ReadBuffer(confine::File file) : file_(std::move(file)) {}

std::uint64_t ReadBuffer::position() const {
  return end_ - static_cast<std::uint64_t>(egptr() - gptr());
}

ReadBuffer::int_type ReadBuffer::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  if (closed()) return traits_type::eof();
  bytes_.resize(kBufferBytes);
  const auto count = file_.ReadAt(end_, bytes_);
  if (!count) {
    Fail(count.error());
    throw std::ios_base::failure("read");  // the stream turns this into badbit
  }
  setg(bytes_.data(), bytes_.data(), bytes_.data() + *count);
  end_ += *count;
  return *count == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

std::streamsize ReadBuffer::xsgetn(char* to, std::streamsize count) {
  std::streamsize done = 0;
  while (done < count) {
    if (gptr() == egptr() && static_cast<std::size_t>(count - done) >= kBufferBytes && !closed()) {
      // Straight to the reader; the buffer keeps nothing.
      const auto got = file_.ReadAt(end_, {to + done, static_cast<std::size_t>(count - done)});
      if (!got) {
        Fail(got.error());
        throw std::ios_base::failure("read");
      }
      if (*got == 0) break;
      end_ += *got;
      setg(nullptr, nullptr, nullptr);
      done += static_cast<std::streamsize>(*got);
      continue;
    }
    if (traits_type::eq_int_type(underflow(), traits_type::eof())) break;
    const std::streamsize part = std::min<std::streamsize>(egptr() - gptr(), count - done);
    std::memcpy(to + done, gptr(), static_cast<std::size_t>(part));
    setg(eback(), gptr() + part, egptr());
    done += part;
  }
  return done;
}

std::streamsize ReadBuffer::showmanyc() {
  const auto stat = file_.Stat();
  if (closed() || !stat || stat->size <= end_) return -1;
  return static_cast<std::streamsize>(stat->size - end_);
}

ReadBuffer::pos_type ReadBuffer::seekoff(off_type offset, std::ios::seekdir from,
                                         std::ios::openmode which) {
  const pos_type failed(off_type(-1));
  if ((which & std::ios::in) == 0 || closed()) return failed;
  std::uint64_t base = 0;
  if (from == std::ios::cur) {
    base = position();
  } else if (from == std::ios::end) {
    const auto stat = file_.Stat();
    if (!stat) {
      Fail(stat.error());
      return failed;
    }
    base = stat->size;
  }
  const auto start = static_cast<off_type>(base);
  off_type target = 0;
  if (__builtin_add_overflow(start, offset, &target) || target < 0) return failed;
  const auto wanted = static_cast<std::uint64_t>(target);
  const std::uint64_t begin = end_ - static_cast<std::uint64_t>(egptr() - eback());
  if (wanted >= begin && wanted <= end_) {
    setg(eback(), eback() + (wanted - begin), egptr());
  } else {
    setg(nullptr, nullptr, nullptr);
    end_ = wanted;
  }
  return pos_type(target);
}

ReadBuffer::pos_type ReadBuffer::seekpos(pos_type position, std::ios::openmode which) {
  return seekoff(off_type(position), std::ios::beg, which);
}

WriteBuffer::WriteBuffer(std::unique_ptr<Sink> sink, WhenDropped when_dropped)
    : sink_(std::move(sink)), when_dropped_(when_dropped), bytes_(kBufferBytes) {
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

WriteBuffer::~WriteBuffer() {
  if (when_dropped_ == WhenDropped::kFlush && !closed()) Flush();
}

bool WriteBuffer::Flush() {
  if (error()) return false;
  const std::string_view pending(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  if (pending.empty()) return true;
  const Status written = sink_->Write(pending);
  if (!written) return Fail(written.error());
  flushed_ += pending.size();
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return true;
}

WriteBuffer::int_type WriteBuffer::overflow(int_type c) {
  if (closed() || !Flush()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

std::streamsize WriteBuffer::xsputn(const char* from, std::streamsize count) {
  if (closed()) return 0;
  if (count <= epptr() - pptr()) {
    std::memcpy(pptr(), from, static_cast<std::size_t>(count));
    pbump(static_cast<int>(count));
    return count;
  }
  if (!Flush()) return 0;
  if (count < epptr() - pptr()) return xsputn(from, count);
  const Status written = sink_->Write({from, static_cast<std::size_t>(count)});
  if (!written) {
    Fail(written.error());
    return 0;
  }
  flushed_ += static_cast<std::uint64_t>(count);
  return count;
}

int WriteBuffer::sync() { return !closed() && Flush() ? 0 : -1; }

WriteBuffer::pos_type WriteBuffer::seekoff(off_type offset, std::ios::seekdir from,
                                           std::ios::openmode which) {
  if (offset != 0 || from != std::ios::cur || (which & std::ios::out) == 0 || closed()) {
    return pos_type(off_type(-1));
  }
  return pos_type(static_cast<off_type>(flushed_) + (pptr() - pbase()));
}

Status WriteBuffer::DoFinish() {
  if (!Flush()) return *error();
  setp(nullptr, nullptr);
  return sink_->Finish();
}

std::unique_ptr<Sink> ReplacementSink(confine::Replacement replacement) {
  return std::make_unique<ReplacingSink>(std::move(replacement));
}

std::unique_ptr<Sink> AppendSink(std::shared_ptr<const void> keep_alive, const confine::Root& root,
                                 std::string path) {
  return std::make_unique<AppendingSink>(std::move(keep_alive), root, std::move(path));
}

}  // namespace cordon::api
