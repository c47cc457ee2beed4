// One visitor's connection: its requests, one after the other, and what they become.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "preview/core.h"
#include "preview/message.h"
#include "preview/pages.h"
#include "preview/request_check.h"
#include "preview/target.h"
#include "preview/upstream.h"
#include "preview/wire.h"

namespace cordon::preview {

// Where a visitor came in.
struct Door {
  std::string_view scheme = "http";       // as the visitor sees it
  std::optional<SandboxId> sandbox = {};  // of a door that leads to one sandbox alone
  std::uint16_t port = 0;                 // of this machine, for such a door
};

struct Dialled {
  enum class Outcome { kConnected, kClosed, kFailed } outcome = Outcome::kFailed;
  std::shared_ptr<Upstream> upstream;
  std::vector<std::uint16_t> listening;  // of kClosed
};

// Held by the core from Begin to Close. Of the I/O thread.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Core& core, std::unique_ptr<Wire> client, Door door, std::string address);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Begin();
  void Close();

  // Told by the target.
  void Advance();
  void OnNotWoken();
  void OnDialled(Dialled dialled);
  void OnSandboxEnded();
  // Told by the upstream.
  void OnUpstreamReadable();
  void OnUpstreamWritable();
  // What takes too long ends.
  void Sweep(Clock::time_point now);

 private:
  enum class Phase {
    kHead,       // waits for a request
    kPreparing,  // for what the target has to find out
    kExchange,
    kTunnel,
    kFarewell,  // the last words go out, what comes in is let go
  };
  // What is known of the request that is worked on.
  struct Now {
    std::optional<Request> parser;
    std::string head;     // as it goes to the server inside; kept to say it again
    std::string upgrade;  // to which protocol; "": none
    std::string host, host_inside;
    std::string target;  // of the entrance alone
    std::string bearer;  // an Authorization that is ours
    bool granted = false, foreign_origin = false;
    bool is_head = false, repeatable = false, chunked = false, old_version = false;
    bool keep_alive = false, wants_html = false, done = false;
    std::uint16_t port = 0;
  };
  // And of the reply to it.
  struct Then {
    std::optional<Reply> parser;
    bool any = false;     // we have got a part of it
    bool begun = false;   // so has the visitor
    bool headed = false;  // its head is read
    bool chunks = false, reusable = false, keep_alive = false, complete = false;
  };

  template <typename Work>
  auto Guarded(Work work);
  void WatchClient();
  void WatchClientWrite();
  void OnClientReadable();
  void OnClientWritable();
  // True: read on at once.
  bool TakeFromClient(std::string_view bytes);
  void ClientEnded();

  // session_request.cc
  bool TakeHead(std::string_view bytes);
  std::optional<Page> ReadRequest(std::string_view text);
  void NoteAccess(const Head& head, const SandboxId& id);
  std::optional<SandboxId> FindPlace(std::string_view host);
  void BuildHead(const Head& head, const Options& options);
  bool MayEnter() const;
  void Enter();
  void Connect();
  void SendRequest();
  bool PumpRequest(std::string_view raw);

  // session_reply.cc
  bool TakeFromUpstream(std::string_view bytes);
  bool TakeReplyHead(std::string_view text);
  void StartReply(const Head& head, const Options& options);
  bool TakeReplyBody(std::string_view raw);
  bool BeginTunnel(std::string_view rest);
  void UpstreamEnded(Wire::State state);
  void NextRequest();

  void Say(const Page& page);
  void SayText(std::string_view text);
  void Farewell();
  bool ToClient(std::span<const std::string_view> pieces);
  bool ToUpstream(std::span<const std::string_view> pieces);
  void LeaveTarget();
  void DropUpstream();
  void Alive();

  Core& core_;
  const std::unique_ptr<Wire> client_;
  const Door door_;
  const std::string address_;
  Phase phase_ = Phase::kHead;
  std::shared_ptr<Target> target_;
  std::shared_ptr<Upstream> upstream_;
  Now now_;
  Then then_;
  std::string inbox_;           // from the visitor, not looked at yet
  std::string reply_inbox_;     // from the server inside
  std::string outbox_, upbox_;  // not taken yet, by the visitor and by the server inside
  Clock::time_point moved_ = Clock::now();  // something did
  std::size_t drained_ = 0;
  bool watching_ = false, watching_write_ = false, closed_ = false;
  bool client_ended_ = false, upstream_ended_ = false, finished_ = false;
};

}  // namespace cordon::preview
