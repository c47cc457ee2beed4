#include "consent/approval_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "consent/line_connection.h"
#include "consent/wire.h"
#include "platform/file_io.h"
#include "platform/local_socket.h"

namespace cordon::consent {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::local::stream_protocol;
using Peer = std::shared_ptr<LineConnection>;

constexpr std::size_t kRememberedIds = 64;
constexpr int kMaxIgnored = 100;  // lines that did not count, before a peer is cut off
constexpr std::uint32_t kSocketMode = 0600;

Error Failed(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "socket";
  error.rule = "consent";
  error.detail = std::move(detail);
  return error;
}

Error NotListening(const error_code& why) {
  return Failed(ErrorCode::kIoError, "the approval socket cannot be opened: " + why.message());
}

// One question from its first showing to its end. The server's thread settles it by an
// answer, the asker's by giving up; whoever comes first.
struct OpenQuestion {
  explicit OpenQuestion(const Question& asked) : question(asked), line(LineOf(asked)) {}
  const Question question;
  const std::string line;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::optional<Choice> answer;
  bool over = false;
};
using OpenQuestionPtr = std::shared_ptr<OpenQuestion>;

}  // namespace

class ApprovalServer::Impl {
 public:
  explicit Impl(ApprovalDirectory directory) : directory_(std::move(directory)) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Listen();
  Result<Choice> Ask(const Question& question, Deadline deadline, const std::stop_token& stop);

 private:
  void Run();
  void Accept();
  void Welcome(platform::UniqueFd connection);
  void Hear(const Peer& peer, int& ignored, std::string_view line);
  // Why it did not count; empty if it did.
  std::string Take(const Peer& from, const GivenAnswer& answer);
  void Tell(const Peer& here, const std::string& id, Choice choice, SettledBy others);
  // Runs `work` on the server's thread and waits for it.
  template <typename Work>
  void OnThread(Work work);

  ApprovalDirectory directory_;
  ApprovalDirectory::NewNames names_;
  bool published_ = false;
  asio::io_context io_{1};
  Protocol::acceptor acceptor_{io_};
  asio::steady_timer pause_{io_};
  std::vector<Peer> peers_;
  OpenQuestionPtr open_;
  std::deque<std::string> settled_;  // ids, the last few
  std::thread thread_;
};

Status ApprovalServer::Impl::Listen() {
  TRY_ASSIGN(names_, ApprovalDirectory::MakeNames());
  TRY_ASSIGN(const std::string path, directory_.PathOf(names_.unready));
  // Not the library's own: programs that are started would inherit it.
  TRY_ASSIGN(platform::UniqueFd listener, platform::OpenLocalSocket());
  // Before it has a name: what bind makes takes its mode from here.
  TRY(platform::SetMode(listener.get(), kSocketMode));
  error_code failed;
  acceptor_.assign(Protocol(), listener.get(), failed);
  if (failed) return NotListening(failed);
  static_cast<void>(listener.release());
  acceptor_.bind(Protocol::endpoint(path), failed);
  if (failed) return NotListening(failed);
  acceptor_.listen(kMaxPeers, failed);
  const Status ready = failed ? Status(NotListening(failed)) : directory_.Publish(names_);
  if (!ready) {
    static_cast<void>(directory_.Remove(names_.unready));
    return ready.error();
  }
  published_ = true;
  Accept();
  thread_ = std::thread([this] { Run(); });
  return {};
}

ApprovalServer::Impl::~Impl() {
  if (published_) static_cast<void>(directory_.Remove(names_.ready));
  io_.stop();
  if (thread_.joinable()) thread_.join();
  for (const Peer& peer : peers_) peer->Close();
}

void ApprovalServer::Impl::Run() {
  while (!io_.stopped()) {
    try {
      io_.run();
    } catch (...) {  // out of memory for one message: the others are still to be served
      continue;
    }
  }
}

template <typename Work>
void ApprovalServer::Impl::OnThread(Work work) {
  std::promise<void> done;
  asio::post(io_, [&work, &done] {
    try {
      work();
      done.set_value();
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  });
  done.get_future().get();
}

void ApprovalServer::Impl::Accept() {
  acceptor_.async_wait(Protocol::acceptor::wait_read, [this](const error_code& failed) {
    if (failed == asio::error::operation_aborted) return;
    Result<platform::UniqueFd> next = platform::AcceptConnection(acceptor_.native_handle());
    if (next || next.error().code == ErrorCode::kTimeout) {
      Accept();  // first, so that nothing that happens to this one keeps others out
      if (next) Welcome(std::move(*next));
      return;
    }
    // No descriptor left, most likely; trying at once would spin.
    pause_.expires_after(std::chrono::milliseconds(100));
    pause_.async_wait([this](const error_code& aborted) {
      if (!aborted) Accept();
    });
  });
}

void ApprovalServer::Impl::Welcome(platform::UniqueFd connection) {
  const Result<std::uint32_t> theirs = platform::PeerUser(connection.get());
  const Result<std::uint32_t> ours = platform::OwnUser();
  if (!theirs || !ours || *theirs != *ours || peers_.size() >= kMaxPeers) return;  // closes it
  Protocol::socket socket(io_);
  error_code failed;
  socket.assign(Protocol(), connection.get(), failed);
  if (failed) return;
  static_cast<void>(connection.release());
  const Peer peer = std::make_shared<LineConnection>(std::move(socket), kMaxAnswerLine);
  peers_.push_back(peer);
  const std::weak_ptr<LineConnection> weak = peer;
  peer->Start({[this, weak, ignored = 0](std::string_view line) mutable {
                 if (const Peer from = weak.lock()) Hear(from, ignored, line);
               },
               [this, weak] { std::erase(peers_, weak.lock()); }});
  if (open_) peer->Send(open_->line);
}

void ApprovalServer::Impl::Hear(const Peer& peer, int& ignored, std::string_view line) {
  const Result<GivenAnswer> answer = ParseAnswer(line);
  const std::string reason = answer ? Take(peer, *answer) : answer.error().detail;
  if (reason.empty()) return;
  if (++ignored > kMaxIgnored) {
    peer->Close();
    std::erase(peers_, peer);
    return;
  }
  peer->Send(LineOf(Ignored{answer ? answer->id : "", reason}));
}

std::string ApprovalServer::Impl::Take(const Peer& from, const GivenAnswer& answer) {
  if (!open_ || open_->question.id != answer.id) {
    const bool known = std::find(settled_.begin(), settled_.end(), answer.id) != settled_.end();
    return known ? "it is over already" : "there is no such question";
  }
  if (!open_->question.Offers(answer.choice)) return "the question does not offer that";
  {
    const std::lock_guard lock(open_->mutex);
    if (open_->over) return "it is over already";
    open_->over = true;
    open_->answer = answer.choice;
  }
  const OpenQuestionPtr question = std::exchange(open_, nullptr);
  // Told before the asker wakes up: it may end at once, and this with it.
  Tell(from, answer.id, answer.choice, SettledBy::kElsewhere);
  const std::lock_guard lock(question->mutex);
  question->changed.notify_all();
  return "";
}

void ApprovalServer::Impl::Tell(const Peer& here, const std::string& id, Choice choice,
                                SettledBy others) {
  settled_.push_back(id);
  if (settled_.size() > kRememberedIds) settled_.pop_front();
  for (const Peer& peer : peers_) {
    const bool answered = here != nullptr && peer == here;
    peer->Send(LineOf(Settled{id, choice, answered ? SettledBy::kHere : others}));
  }
}

Result<Choice> ApprovalServer::Impl::Ask(const Question& question, Deadline deadline,
                                         const std::stop_token& stop) {
  const auto open = std::make_shared<OpenQuestion>(question);
  if (open->line.size() > kMaxQuestionLine) {
    return Failed(ErrorCode::kConsentUnavailable, "the question is too long to be sent");
  }
  OnThread([&] {
    open_ = open;
    for (const Peer& peer : peers_) peer->Send(open->line);
  });
  {
    std::unique_lock lock(open->mutex);
    open->changed.wait_until(lock, stop, deadline, [&] { return open->answer.has_value(); });
    if (open->answer) return *open->answer;
    open->over = true;
  }
  const bool withdrawn = stop.stop_requested();
  OnThread([&] {
    if (open_ == open) open_ = nullptr;
    Tell(nullptr, question.id, Choice::kDeny,
         withdrawn ? SettledBy::kWithdrawn : SettledBy::kTimeout);
  });
  if (!withdrawn) return Failed(ErrorCode::kTimeout, "nobody answered in time");
  Error error = Failed(ErrorCode::kConsentDenied, "the question was withdrawn");
  error.rule = "withdrawn";
  return error;
}

Result<std::unique_ptr<ApprovalServer>> ApprovalServer::Start(ApprovalDirectory directory) {
  auto impl = std::make_unique<Impl>(std::move(directory));
  TRY(impl->Listen());
  return std::unique_ptr<ApprovalServer>(new ApprovalServer(std::move(impl)));
}

ApprovalServer::ApprovalServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ApprovalServer::~ApprovalServer() = default;

Result<Choice> ApprovalServer::Ask(const Question& question, Deadline deadline,
                                   const std::stop_token& stop) {
  return impl_->Ask(question, deadline, stop);
}

}  // namespace cordon::consent
