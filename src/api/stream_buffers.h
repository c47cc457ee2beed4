// The stream buffers behind SafeFileStream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "confine/file.h"
#include "confine/replacement.h"
#include "confine/root.h"
#include "cordon/result.h"

namespace cordon::api {

class StreamBuffer : public std::streambuf {
 public:
  // Brings everything to its end; once only. The buffer is closed afterwards.
  Status Finish();
  // Closes without taking effect.
  void Abandon() { closed_ = true; }
  bool closed() const { return closed_; }
  virtual bool writes() const = 0;
  // The first error of the system.
  const std::optional<Error>& error() const { return error_; }

 protected:
  virtual Status DoFinish() = 0;
  // Keeps the first error; returns false.
  bool Fail(Error error);

 private:
  bool closed_ = false;
  std::optional<Error> error_;
};

// Reads by position, so that the descriptor's own is never moved.
class ReadBuffer final : public StreamBuffer {
 public:
  explicit ReadBuffer(confine::File file);
  bool writes() const override { return false; }

 protected:
  int_type underflow() override;
  std::streamsize xsgetn(char* to, std::streamsize count) override;
  std::streamsize showmanyc() override;
  pos_type seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode which) override;
  pos_type seekpos(pos_type position, std::ios::openmode which) override;
  Status DoFinish() override { return {}; }

 private:
  std::uint64_t position() const;  // of the next byte the reader gets
  confine::File file_;
  std::vector<char> bytes_;
  std::uint64_t end_ = 0;  // position in the file of egptr()
};

// Where written bytes go.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status Write(std::string_view bytes) = 0;
  virtual Status Finish() = 0;
};

enum class WhenDropped { kDiscard, kFlush };

class WriteBuffer final : public StreamBuffer {
 public:
  WriteBuffer(std::unique_ptr<Sink> sink, WhenDropped when_dropped);
  ~WriteBuffer() override;
  bool writes() const override { return true; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* from, std::streamsize count) override;
  int sync() override;
  // Tells the position; cannot change it.
  pos_type seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode which) override;
  Status DoFinish() override;

 private:
  bool Flush();
  std::unique_ptr<Sink> sink_;
  WhenDropped when_dropped_;
  std::vector<char> bytes_;
  std::uint64_t flushed_ = 0;
};

std::unique_ptr<Sink> ReplacementSink(confine::Replacement replacement);
// `keep_alive` owns `root`.
std::unique_ptr<Sink> AppendSink(std::shared_ptr<const void> keep_alive, const confine::Root& root,
                                 std::string path);

}  // namespace cordon::api
