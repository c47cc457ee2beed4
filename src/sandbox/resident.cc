#include "sandbox/resident.h"

#include <array>
#include <cerrno>
#include <mutex>
#include <utility>

#include "base/try.h"
#include "platform/broken_pipe.h"
#include "platform/child_process.h"
#include "platform/inherited.h"
#include "platform/packet_socket.h"
#include "platform/passed_descriptors.h"
#include "platform/pipe.h"
#include "platform/private_file.h"
#include "platform/spawn.h"
#include "platform/wait_events.h"
#include "sandbox/reports.h"

namespace cordon::sandbox {
namespace {

using platform::Received;
using platform::UniqueFd;
using std::chrono::milliseconds;

constexpr const char* kSocketName = "socket";
constexpr const char* kEpitaphName = "epitaph";
constexpr std::size_t kMostEpitaph = 4096;
constexpr milliseconds kAnswerWithin{20'000};
constexpr milliseconds kStartWithin{60'000};
constexpr milliseconds kEndWithin{20'000};

Error Gone() {
  Error error = LauncherError("the sandbox has gone");
  error.code = ErrorCode::kNotFound;
  return error;
}

// What is not answered because nobody is there any more.
Error OrGone(const Error& error) { return error.code == ErrorCode::kIoError ? Gone() : error; }

Error Answered(int os_errno, ErrorCode code) {
  Error error = LauncherError("the sandbox says no");
  error.code = code;
  error.os_errno = os_errno;
  return error;
}

Error NoEnd() {
  Error error = LauncherError("the sandbox does not end");
  error.code = ErrorCode::kTimeout;
  return error;
}

class RemoteExecution final : public Execution {
 public:
  RemoteExecution(UniqueFd connection, UniqueFd terminal)
      : connection_(std::move(connection)), terminal_(std::move(terminal)) {}

  UniqueFd TakeTerminal() override { return std::move(terminal_); }
  Result<Ended> Wait(Command::Listener& listener) override {
    return HearOut(connection_.get(), listener);
  }
  void Give(std::uint64_t id, UniqueFd granted, int os_errno) override {
    Send(Answer{id, granted.valid() ? 0 : os_errno}, granted.get());
  }
  void Stop() override { Send(sandbox::Stop{}); }
  void Kill() override { Send(sandbox::Kill{}); }
  void Leave() override { platform::ShutDownSocket(connection_.get()); }

 private:
  void Send(const Order& order, int descriptor = -1) {
    const std::lock_guard lock(sending_);
    const std::span<const int> descriptors(&descriptor, descriptor < 0 ? 0 : 1);
    // Who is gone needs no orders; Wait tells of it.
    static_cast<void>(platform::SendMessage(connection_.get(), Encode(order), descriptors));
  }

  UniqueFd connection_, terminal_;
  std::mutex sending_;  // orders come from several threads
};

class AttachedResident final : public Resident {
 public:
  AttachedResident(UniqueFd directory, UniqueFd watch, UniqueFd gone)
      : directory_(std::move(directory)), watch_(std::move(watch)), gone_(std::move(gone)) {}

  Result<std::unique_ptr<Execution>> Run(const Execute& terms, const Streams& streams) override {
    std::vector<int> descriptors;
    if (terms.terminal == TerminalUse::kGivenStreams) {
      descriptors = {streams.in, streams.out, streams.err};
    }
    TRY_ASSIGN(UniqueFd connection, Ask(terms, descriptors));
    auto first = NextMessageWithin(connection.get(), kMaxMessageBytes, kStartWithin);
    if (!first) return OrGone(first.error());
    TRY_ASSIGN(const Report report, DecodeReport(first->bytes));
    if (const auto* failed = std::get_if<Failed>(&report)) return ErrorOf(*failed);
    if (!std::holds_alternative<Ready>(report)) {
      return LauncherError("the sandbox speaks out of turn");
    }
    UniqueFd terminal;
    if (!first->descriptors.empty()) terminal = std::move(first->descriptors.front());
    return std::unique_ptr<Execution>(
        std::make_unique<RemoteExecution>(std::move(connection), std::move(terminal)));
  }

  Result<UniqueFd> Connect(std::uint16_t port) override {
    TRY_ASSIGN(Answer answer, Request(Dial{port}));
    const auto* dialled = std::get_if<Dialled>(&answer.reply);
    if (dialled == nullptr) return LauncherError("the sandbox speaks out of turn");
    if (dialled->os_errno != 0 || answer.descriptors.empty()) {
      return Answered(dialled->os_errno, ErrorCode::kNotFound);
    }
    return std::move(answer.descriptors.front());
  }

  Result<Seen> Inspect() override { return RequestSeen(Look{}); }
  Result<Seen> LookBriefly() override { return RequestSeen(Glance{}); }

  Result<Listeners> ProxyListeners() override {
    TRY_ASSIGN(Answer answer, RequestDone(HandOut{}));
    if (answer.descriptors.size() != 2) return Answered(0, ErrorCode::kNotFound);
    return Listeners{std::move(answer.descriptors[0]), std::move(answer.descriptors[1])};
  }

  Status Pause() override { return AsStatus(RequestDone(Freeze{})); }
  Status Resume() override { return AsStatus(RequestDone(Thaw{})); }
  Status Clear() override { return AsStatus(RequestDone(sandbox::Clear{})); }
  Status Signal(std::uint32_t process, int signal) override {
    return AsStatus(RequestDone(SignalOne{process, signal}));
  }

  Status End() override;
  int gone() const override { return gone_.get(); }

 private:
  struct Answer {
    Reply reply;
    std::vector<UniqueFd> descriptors;
  };

  static Status AsStatus(Result<Answer> answer) {
    if (!answer) return std::move(answer.error());
    return {};
  }

  Result<UniqueFd> Ask(const sandbox::Request& request, std::span<const int> descriptors) const {
    TRY_ASSIGN(UniqueFd connection, platform::ConnectForPackets(directory_.get(), kSocketName));
    const std::string bytes = Encode(request);
    if (bytes.size() > kMaxRequestBytes) {
      Error error = LauncherError("the arguments and variables are too long together");
      error.code = ErrorCode::kTooLarge;
      return error;
    }
    if (Status sent = platform::SendMessage(connection.get(), bytes, descriptors); !sent) {
      return OrGone(sent.error());
    }
    return connection;
  }

  Result<Answer> Request(const sandbox::Request& request) const {
    TRY_ASSIGN(const UniqueFd connection, Ask(request, {}));
    auto message = NextMessageWithin(connection.get(), kMaxReplyBytes, kAnswerWithin);
    if (!message) return OrGone(message.error());
    Answer answer;
    TRY_ASSIGN(answer.reply, DecodeReply(message->bytes));
    answer.descriptors = std::move(message->descriptors);
    return answer;
  }

  Result<Seen> RequestSeen(const sandbox::Request& request) const {
    TRY_ASSIGN(Answer answer, Request(request));
    auto* seen = std::get_if<Seen>(&answer.reply);
    if (seen == nullptr) return LauncherError("the sandbox speaks out of turn");
    return std::move(*seen);
  }

  Result<Answer> RequestDone(const sandbox::Request& request) const {
    TRY_ASSIGN(Answer answer, Request(request));
    const auto* done = std::get_if<Done>(&answer.reply);
    if (done == nullptr) return LauncherError("the sandbox speaks out of turn");
    if (done->os_errno != 0) {
      const bool invalid = done->os_errno == EINVAL;
      return Answered(done->os_errno,
                      invalid ? ErrorCode::kInvalidArguments : ErrorCode::kNotFound);
    }
    return answer;
  }

  const UniqueFd directory_;
  const UniqueFd watch_;  // closes when the launcher has gone
  const UniqueFd gone_;
};

// Until it is readable, or closes.
Status Await(int descriptor) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + kEndWithin;
  std::array<platform::Awaited, 1> awaited;
  awaited[0].descriptor = descriptor;
  while (!awaited[0].happened) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return NoEnd();
    platform::AwaitAny(awaited, left);
  }
  return {};
}

Status AttachedResident::End() {
  auto connection = Ask(Vanish{}, {});
  if (!connection && connection.error().code != ErrorCode::kNotFound) {
    return std::move(connection.error());
  }
  if (connection && !Await(watch_.get())) {
    // It does not listen: then its launcher, with which it dies.
    TRY_ASSIGN(const int launcher, platform::PeerProcess(connection->get()));
    platform::SignalProcess(launcher, platform::EndSignal::kKill);
    TRY(Await(watch_.get()));
  }
  return Await(gone_.get());
}

Result<UniqueFd> OpenHome(const std::string& directory) {
  return platform::OpenStateDirectory(directory, platform::MissingDirectory::kRefuse);
}

}  // namespace

Result<LayerSet> Resident::Start(const Spec& spec, const std::string& directory,
                                 const std::string& launcher) {
  TRY_ASSIGN(const UniqueFd home, OpenHome(directory));
  TRY_ASSIGN(const UniqueFd epitaph,
             platform::OpenPrivateFile(home.get(), kEpitaphName,
                                       platform::PrivateAccess::kCreateExclusive));
  TRY_ASSIGN(UniqueFd listener, platform::ListenForPackets(home.get(), kSocketName));
  TRY_ASSIGN(platform::MessagePair sockets, platform::MakeMessagePair());
  TRY_ASSIGN(const UniqueFd encoded, platform::MakeUnnamedFile());
  TRY(platform::FillAndSeal(encoded.get(), Encode(spec)));
  TRY_ASSIGN(const UniqueFd null, platform::OpenNullDevice());
  platform::SpawnPlan plan;
  plan.program = launcher;
  plan.arguments = {"cordon-launch", std::string(kResidentArgument)};
  plan.descriptors = {{null.get(), 0},
                      {null.get(), 1},
                      {null.get(), 2},
                      {encoded.get(), kSpecDescriptor},
                      {sockets.other.get(), kControlDescriptor},
                      {listener.get(), kRequestsDescriptor},
                      {epitaph.get(), kEpitaphDescriptor}};
  TRY_ASSIGN(platform::SpawnedProcess spawned, platform::SpawnedProcess::Start(plan));
  sockets.other.reset();
  listener.reset();
  spawned.Wait();  // it has left a copy of itself that is nobody's child
  TRY_ASSIGN(const Received first,
             NextMessageWithin(sockets.one.get(), kMaxMessageBytes, kStartWithin));
  TRY_ASSIGN(const Report report, DecodeReport(first.bytes));
  if (const auto* failed = std::get_if<Failed>(&report)) return ErrorOf(*failed);
  const auto* ready = std::get_if<Ready>(&report);
  if (ready == nullptr) return LauncherError("the launcher speaks out of turn");
  if (!ready->layers.Includes(spec.required)) {
    return LauncherError("the launcher left out a layer that was required");
  }
  return ready->layers;
}

Result<std::unique_ptr<Resident>> Resident::Attach(const std::string& directory) {
  TRY_ASSIGN(UniqueFd home, OpenHome(directory));
  TRY_ASSIGN(UniqueFd watch, platform::ConnectForPackets(home.get(), kSocketName));
  if (Status sent = platform::SendMessage(watch.get(), Encode(Request(Watch{})), {}); !sent) {
    return OrGone(sent.error());
  }
  auto message = NextMessageWithin(watch.get(), kMaxReplyBytes, kAnswerWithin);
  if (!message) return OrGone(message.error());
  TRY_ASSIGN(const Reply reply, DecodeReply(message->bytes));
  if (!std::holds_alternative<Done>(reply) || message->descriptors.size() != 1) {
    return LauncherError("the sandbox speaks out of turn");
  }
  return std::unique_ptr<Resident>(std::make_unique<AttachedResident>(
      std::move(home), std::move(watch), std::move(message->descriptors.front())));
}

Result<Epitaph> Resident::HowItEnded(const std::string& directory) {
  TRY_ASSIGN(const UniqueFd home, OpenHome(directory));
  TRY_ASSIGN(const UniqueFd file,
             platform::OpenPrivateFile(home.get(), kEpitaphName, platform::PrivateAccess::kRead));
  TRY_ASSIGN(const std::string bytes, platform::ReadWhole(file.get(), kMostEpitaph));
  if (bytes.empty()) return Gone();
  return DecodeEpitaph(bytes);
}

}  // namespace cordon::sandbox
