#include "consent/approver.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "base/try.h"
#include "consent/approval_directory.h"
#include "consent/connect_local.h"
#include "consent/line_connection.h"
#include "consent/question_id.h"

namespace cordon::consent {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::local::stream_protocol;
using Connection = std::shared_ptr<LineConnection>;

constexpr std::chrono::milliseconds kLook{200};

// Who asks, and what both sides call what was asked.
struct Asker {
  struct Sent {
    std::string theirs;
    std::string ours;
  };
  Connection connection;
  std::map<std::string, std::string> open;  // our id, by theirs
  std::deque<Sent> sent;                    // answers of which nothing was heard yet

  // Our id of the answer that this is the reply to: replies come in the order of answers.
  // nullopt: there is none.
  std::optional<std::string> TakeSent(const std::string& theirs) {
    const auto found = std::find_if(sent.begin(), sent.end(),
                                    [&](const Sent& one) { return one.theirs == theirs; });
    if (found == sent.end()) return std::nullopt;
    std::string ours = std::move(found->ours);
    sent.erase(found);
    return ours;
  }
};

// A question that is open, by our id.
struct Place {
  std::string asker;   // the name of the socket
  std::string theirs;  // its id there
};

}  // namespace

class Approver::Impl {
 public:
  Impl(std::string directory, Sink sink)
      : directory_(std::move(directory)), sink_(std::move(sink)) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void Start();
  void Answer(const GivenAnswer& answer);

 private:
  void Run();
  void Look();
  void LookLater();
  void Connect(const ApprovalDirectory& directory, const std::string& name);
  void Hear(const std::string& asker, std::string_view line);
  void HearQuestion(const std::string& asker, Question question);
  void HearSettled(const std::string& asker, Settled settled);
  void HearIgnored(const std::string& asker, Ignored ignored);
  void Lose(const std::string& name);

  std::string directory_;
  Sink sink_;
  asio::io_context io_{1};
  asio::steady_timer timer_{io_};
  std::map<std::string, Asker> askers_;  // by the name of the socket
  std::map<std::string, Place> open_;    // by our id
  std::thread thread_;
};

void Approver::Impl::Start() {
  Look();
  thread_ = std::thread([this] { Run(); });
}

Approver::Impl::~Impl() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
  for (const auto& [name, asker] : askers_) asker.connection->Close();
}

void Approver::Impl::Run() {
  while (!io_.stopped()) {
    try {
      io_.run();
    } catch (...) {  // out of memory for one message: the others are still to be heard
      continue;
    }
  }
}

void Approver::Impl::Look() {
  LookLater();
  const Result<ApprovalDirectory> directory = ApprovalDirectory::Open(directory_);
  if (!directory) return;  // not there yet, or not there any more
  const Result<std::vector<std::string>> names = directory->Sockets();
  if (!names) return;
  for (const std::string& name : *names) {
    if (!askers_.contains(name)) Connect(*directory, name);
  }
}

void Approver::Impl::LookLater() {
  timer_.expires_after(kLook);
  timer_.async_wait([this](const error_code& aborted) {
    if (!aborted) Look();
  });
}

void Approver::Impl::Connect(const ApprovalDirectory& directory, const std::string& name) {
  const Result<std::string> path = directory.PathOf(name);
  if (!path) return;
  Result<Protocol::socket> socket = ConnectLocal(io_, *path);
  if (!socket) {  // the next look tries again
    if (IsDead(socket.error())) static_cast<void>(directory.Remove(name));
    return;
  }
  const auto connection = std::make_shared<LineConnection>(std::move(*socket), kMaxQuestionLine);
  askers_[name].connection = connection;
  connection->Start(
      {[this, name](std::string_view line) { Hear(name, line); }, [this, name] { Lose(name); }});
}

void Approver::Impl::Hear(const std::string& asker, std::string_view line) {
  const Result<ToPerson> message = ParseToPerson(line);
  if (!message) return;  // a later version's, perhaps
  if (const auto* question = std::get_if<Question>(&*message)) HearQuestion(asker, *question);
  if (const auto* settled = std::get_if<Settled>(&*message)) HearSettled(asker, *settled);
  if (const auto* ignored = std::get_if<Ignored>(&*message)) HearIgnored(asker, *ignored);
}

void Approver::Impl::HearQuestion(const std::string& asker, Question question) {
  const std::string ours = NewQuestionId();
  // The same asker's, told again while it is open, is the same question.
  if (!askers_.at(asker).open.emplace(question.id, ours).second) return;
  open_.emplace(ours, Place{asker, question.id});
  question.id = ours;
  sink_(question);
}

void Approver::Impl::HearSettled(const std::string& asker, Settled settled) {
  Asker& from = askers_.at(asker);
  const auto found = from.open.find(settled.id);
  if (found == from.open.end()) return;
  if (settled.by == SettledBy::kHere) from.TakeSent(settled.id);
  settled.id = found->second;
  open_.erase(found->second);
  from.open.erase(found);
  sink_(settled);
}

void Approver::Impl::HearIgnored(const std::string& asker, Ignored ignored) {
  const std::optional<std::string> ours = askers_.at(asker).TakeSent(ignored.id);
  if (!ours) return;
  ignored.id = *ours;
  sink_(ignored);
}

void Approver::Impl::Lose(const std::string& name) {
  const Asker lost = std::move(askers_.at(name));
  askers_.erase(name);
  for (const auto& [theirs, ours] : lost.open) {
    open_.erase(ours);
    sink_(Settled{ours, Choice::kDeny, SettledBy::kGone});
  }
  for (const auto& [theirs, ours] : lost.sent) {
    const auto open = lost.open.find(theirs);
    const bool told = open != lost.open.end() && open->second == ours;
    if (!told) sink_(Ignored{ours, "it was over, and who asked is gone"});
  }
}

void Approver::Impl::Answer(const GivenAnswer& answer) {
  asio::post(io_, [this, answer] {
    const auto found = open_.find(answer.id);
    if (found == open_.end()) {
      return sink_(Ignored{answer.id, "there is no such question, or it is over"});
    }
    const auto& [name, theirs] = found->second;
    Asker& asker = askers_.at(name);
    asker.sent.push_back({theirs, answer.id});
    asker.connection->Send(LineOf(GivenAnswer{theirs, answer.choice}));
  });
}

Result<std::unique_ptr<Approver>> Approver::Attach(const std::string& directory, Sink sink) {
  const Result<ApprovalDirectory> now = ApprovalDirectory::Open(directory);
  if (!now && now.error().code != ErrorCode::kNotFound) return now.error();
  try {
    auto impl = std::make_unique<Impl>(directory, std::move(sink));
    impl->Start();
    return std::unique_ptr<Approver>(new Approver(std::move(impl)));
  } catch (const std::exception& failure) {  // the library's, when the system has no more to give
    Error error;
    error.code = ErrorCode::kIoError;
    error.op = "approve";
    error.detail = failure.what();
    return error;
  }
}

Approver::Approver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Approver::~Approver() = default;
void Approver::Answer(const GivenAnswer& answer) { impl_->Answer(answer); }

}  // namespace cordon::consent
