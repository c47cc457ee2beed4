// The streams of a program that an engine runs, taken over from HTTP: output and errors in one,
// in frames with a head of eight bytes; input as it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "net/http_client.h"
#include "platform/unique_fd.h"

namespace cordon::provision {

struct DockerPiece {
  enum class Stream { kOut, kErr } stream = Stream::kOut;
  std::string bytes;
};

// Takes bytes as they come; a frame may be given out in several pieces, so that none need be
// held whole.
class DockerFrames {
 public:
  void Take(std::string_view bytes) { held_ += bytes; }
  // Unset: more is needed. Errors: kIoError for what can be no frame.
  Result<std::optional<DockerPiece>> Next();
  // Whether it ended where a frame does.
  bool complete() const { return held_.empty() && left_ == 0; }

 private:
  std::string held_;
  std::size_t left_ = 0;  // of the frame that has begun
  DockerPiece::Stream stream_ = DockerPiece::Stream::kOut;
};

// Thread safety: one thread reads, one sends; HangUp by any.
class DockerStream {
 public:
  explicit DockerStream(net::HttpHijack hijack);

  // Waits. Unset: the program's streams have ended. Errors: kTimeout; kIoError.
  Result<std::optional<DockerPiece>> Read(std::optional<std::chrono::milliseconds> patience);
  Status Send(std::string_view bytes);
  void EndInput();
  void HangUp();
  int descriptor() const { return stream_.get(); }
  DockerFrames& frames() { return frames_; }

 private:
  platform::UniqueFd stream_;
  DockerFrames frames_;
};

}  // namespace cordon::provision
