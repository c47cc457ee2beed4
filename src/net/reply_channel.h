// Between whoever answers a request, in any thread, and the connection it came by.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "net/http_server.h"
#include "net/http_text.h"

namespace cordon::net {

// What the request that is answered asks for.
struct ReplyTerms {
  enum class Body { kWanted, kHeadOnly };
  Afterwards afterwards = Afterwards::kClose;
  Framing stream = Framing::kChunks;  // of what Begin begins
  Body body = Body::kWanted;
  std::size_t unsent = 0;
  std::size_t all_unsent = 0;
  std::shared_ptr<std::atomic<std::size_t>> all = {};  // as counted so far
};

// Thread safety: everything may run concurrently, but the part for the connection only in
// its I/O thread.
class ReplyChannel {
 public:
  // `wake`: there is something to be sent. It is called under a lock, never after Gone.
  ReplyChannel(ReplyTerms terms, std::function<void()> wake);
  ~ReplyChannel();
  ReplyChannel(const ReplyChannel&) = delete;
  ReplyChannel& operator=(const ReplyChannel&) = delete;

  void Send(const HttpResponse& response);
  void Begin(const HttpResponse& head);
  bool Write(std::string_view piece);
  bool TryWrite(std::string_view piece);
  void End();
  void Drop();  // nobody will answer any more
  bool open() const;
  void OnGone(std::function<void()> gone);

  // For the connection.
  std::string Take();            // what is to be sent, all of it
  void Sent(std::size_t bytes);  // of what was taken
  bool finished() const;         // and everything was taken
  bool keeps_alive() const;
  void Gone();  // the connection is closed

 private:
  enum class Stage { kUnanswered, kStreaming, kEnded };
  void Append(std::string_view piece);
  // Whether `bytes` more can wait to be sent; if so, they are counted.
  bool Charge(std::size_t bytes);
  void Recount();  // after some were sent or dropped
  void CutOff();
  void Put(const HttpResponse& response);  // with the mutex held
  void Wake();

  const ReplyTerms terms_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  std::function<void()> on_gone_;
  std::string queue_;
  std::size_t taken_ = 0;    // and not yet sent
  std::size_t charged_ = 0;  // of both, in terms_.all
  Stage stage_ = Stage::kUnanswered;
  bool complete_ = true;  // false: dropped in the middle, so that the client must notice
  bool gone_ = false;
};

// What a handler holds; the channel learns when the last reference goes.
std::shared_ptr<HttpReply> MakeReply(std::shared_ptr<ReplyChannel> channel);

}  // namespace cordon::net
