// Between whoever answers a request, in any thread, and the connection it came by.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "net/http_server.h"
#include "net/http_text.h"
#include "net/unsent.h"
#include "net/web_socket_channel.h"

namespace cordon::net {

// What the request that is answered asks for.
struct ReplyTerms {
  enum class Body { kWanted, kHeadOnly };
  Afterwards afterwards = Afterwards::kClose;
  Framing stream = Framing::kChunks;  // of what Begin begins
  Body body = Body::kWanted;
  std::size_t unsent = 0;                 // of this one, while it is a stream
  std::chrono::milliseconds patience{0};  // for its client to read enough of that
  std::shared_ptr<Unsent> all = {};
};

// Thread safety: everything may run concurrently, but the part for the connection only in
// its I/O thread.
class ReplyChannel : public std::enable_shared_from_this<ReplyChannel> {
 public:
  // `wake`: there is something to be sent. It is called under a lock, never after Gone.
  ReplyChannel(ReplyTerms terms, std::function<void()> wake);
  ~ReplyChannel();
  ReplyChannel(const ReplyChannel&) = delete;
  ReplyChannel& operator=(const ReplyChannel&) = delete;

  void Send(HttpResponse response);
  void Begin(const HttpResponse& head);
  bool Write(std::string_view piece);
  bool TryWrite(std::string_view piece);
  void End();
  void Drop();  // nobody will answer any more
  bool open() const;
  void OnGone(std::function<void()> gone);
  std::shared_ptr<WebSocket> Upgrade(const WebSocketTerms& terms);

  // For the connection.
  std::shared_ptr<WebSocketChannel> TakeUpgrade();  // what it is to become, once
  std::string Take();                               // what is to be sent next; empty: nothing
  void Sent(std::size_t bytes);                     // of what was taken
  bool finished() const;                            // and everything was taken
  bool keeps_alive() const;
  bool evicted() const;  // to be closed at once
  void Gone();           // the connection is closed

  // For others who need the room. Bytes a second; nothing while that means little.
  std::optional<std::size_t> Pace();
  void Evict();

 private:
  enum class Stage { kUnanswered, kStreaming, kEnded };
  void Append(std::string_view piece);
  std::size_t waiting() const { return queue_.size() + body_.size() + taken_; }
  // Whether `bytes` more can wait to be sent; if so, they are counted. Lets go of the lock
  // meanwhile where others must make room.
  bool Charge(std::size_t bytes, std::unique_lock<std::mutex>& lock);
  bool TryCharge(std::size_t bytes);
  void NoteTime();
  void Recount();  // after some were sent or dropped
  void CutOff();
  bool WaitForRoom(std::unique_lock<std::mutex>& lock);
  void Put(HttpResponse response);  // with the mutex held
  void Wake();

  const ReplyTerms terms_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  std::function<void()> on_gone_;
  std::shared_ptr<WebSocketChannel> upgrade_;
  std::string queue_;
  std::string body_;                             // after that, where it is long
  std::size_t taken_ = 0;                        // and not yet sent
  std::size_t charged_ = 0;                      // of all that, in terms_.all
  std::chrono::steady_clock::time_point since_;  // it is charged
  std::int64_t second_ = 0;                      // since then; what the client has taken
  std::size_t this_second_ = 0;                  // in it, and in the one before
  std::size_t last_second_ = 0;
  bool evicted_ = false;
  Stage stage_ = Stage::kUnanswered;
  bool complete_ = true;  // false: dropped in the middle, so that the client must notice
  bool gone_ = false;
};

// What a handler holds; the channel learns when the last reference goes.
std::shared_ptr<HttpReply> MakeReply(std::shared_ptr<ReplyChannel> channel);

}  // namespace cordon::net
