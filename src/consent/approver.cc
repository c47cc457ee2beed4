#include "consent/approver.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <thread>
#include <utility>

#include "base/try.h"
#include "consent/approval_directory.h"
#include "consent/connect_local.h"
#include "consent/line_connection.h"

namespace cordon::consent {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::local::stream_protocol;
using Connection = std::shared_ptr<LineConnection>;

constexpr std::chrono::milliseconds kLook{200};

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
  void HearQuestion(const std::string& asker, const Question& question);
  void Lose(const std::string& asker);

  std::string directory_;
  Sink sink_;
  asio::io_context io_{1};
  asio::steady_timer timer_{io_};
  std::map<std::string, Connection> askers_;  // by the name of the socket
  std::map<std::string, std::string> open_;   // question: asker
  std::thread thread_;
};

void Approver::Impl::Start() {
  Look();
  thread_ = std::thread([this] { Run(); });
}

Approver::Impl::~Impl() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
  for (const auto& [name, asker] : askers_) asker->Close();
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
  const auto asker = std::make_shared<LineConnection>(std::move(*socket), kMaxQuestionLine);
  askers_.emplace(name, asker);
  asker->Start(
      {[this, name](std::string_view line) { Hear(name, line); }, [this, name] { Lose(name); }});
}

void Approver::Impl::Hear(const std::string& asker, std::string_view line) {
  const Result<ToPerson> message = ParseToPerson(line);
  if (!message) return;  // a later version's, perhaps
  if (const auto* question = std::get_if<Question>(&*message)) {
    return HearQuestion(asker, *question);
  }
  if (const auto* settled = std::get_if<Settled>(&*message)) {
    const auto found = open_.find(settled->id);
    if (found == open_.end() || found->second != asker) return;
    open_.erase(found);
  }
  sink_(*message);
}

void Approver::Impl::HearQuestion(const std::string& asker, const Question& question) {
  // An id that is open elsewhere would make one answer count for two questions.
  if (open_.emplace(question.id, asker).second) sink_(question);
}

void Approver::Impl::Lose(const std::string& asker) {
  askers_.erase(asker);
  for (auto question = open_.begin(); question != open_.end();) {
    if (question->second == asker) {
      const std::string id = question->first;
      question = open_.erase(question);
      sink_(Settled{id, Choice::kDeny, SettledBy::kGone});
    } else {
      ++question;
    }
  }
}

void Approver::Impl::Answer(const GivenAnswer& answer) {
  asio::post(io_, [this, answer] {
    const auto found = open_.find(answer.id);
    if (found == open_.end()) {
      return sink_(Ignored{answer.id, "there is no such question, or it is over"});
    }
    askers_.at(found->second)->Send(LineOf(answer));
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
