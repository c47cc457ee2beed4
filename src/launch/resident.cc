#include "launch/resident.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "launch/attendance.h"
#include "launch/attendants.h"
#include "launch/door.h"
#include "launch/filter_table.h"
#include "launch/line.h"
#include "launch/survey.h"
#include "platform/child_process.h"
#include "platform/landlock.h"
#include "platform/loopback.h"
#include "platform/passed_descriptors.h"
#include "platform/wait_events.h"

namespace cordon::launch {
namespace {

using platform::ProcessId;
using platform::UniqueFd;
using sandbox::Dialled;
using sandbox::Done;
using sandbox::Layer;
using sandbox::Reply;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWaiting = 256;
constexpr milliseconds kSpeakWithin{5000};
constexpr milliseconds kDialWait{100};
constexpr milliseconds kSweepAgain{20};
constexpr milliseconds kSampleEvery{50};

// A connection that has asked for nothing yet.
struct Visitor {
  UniqueFd connection;
  Clock::time_point until;
};

class Residence {
 public:
  explicit Residence(InsideTerms& terms) : terms_(terms), line_(terms.spec, terms.layers) {}

  std::optional<Setback> Start();
  bool TellReady();
  void Serve();

 private:
  // What of the memory limit no control group holds.
  bool Samples() const {
    return terms_.spec.limits.memory != 0 && terms_.group == nullptr && !attendants_->empty();
  }
  std::optional<milliseconds> TimeToNext() const;
  bool Admit();  // false: the launcher is gone
  void DropSilent();
  void Answer(UniqueFd connection);
  void Do(const sandbox::Execute& execute, UniqueFd connection, std::vector<UniqueFd> given);
  void Do(const sandbox::Dial& dial, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Look& look, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Glance& glance, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Freeze& freeze, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Thaw& thaw, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::SignalOne& one, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Vanish& vanish, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Watch& watch, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::Clear& clear, UniqueFd connection, const std::vector<UniqueFd>& given);
  void Do(const sandbox::HandOut& hand_out, UniqueFd connection,
          const std::vector<UniqueFd>& given);
  void Describe(sandbox::Seen& seen) const;
  void Sample();

  InsideTerms& terms_;
  Line line_;
  UniqueFd inner_line_;
  std::optional<platform::SignalSource> signals_;
  std::vector<Visitor> visitors_;
  std::optional<Attendants> attendants_;
  std::uint64_t memory_ends_ = 0;  // for a limit that is sampled
  bool frozen_ = false;
};

// Who does not take an answer does not get one.
void Send(const UniqueFd& connection, const Reply& reply, std::span<const int> descriptors = {}) {
  static_cast<void>(platform::SendMessage(connection.get(), Encode(reply), descriptors));
}

std::optional<Setback> Residence::Start() {
  auto signals = platform::SignalSource::Open(platform::SignalSource::Of::kChildren);
  if (!signals) return SetbackOf(std::nullopt, signals.error());
  signals_ = std::move(*signals);
  if (auto setback = line_.Draw()) return setback;
  if (const Status joined = AwaitGroup(terms_); !joined) {
    return SetbackOf(std::nullopt, joined.error());
  }
  if (const Status die = platform::DieWithParent(platform::EndSignal::kKill); !die) {
    return SetbackOf(std::nullopt, die.error());
  }
  if (const Status hidden = platform::SetTraceable(platform::Traceable::kNo); !hidden) {
    return SetbackOf(std::nullopt, hidden.error());
  }
  attendants_.emplace();
  if (!terms_.layers.Has(Layer::kLandlock)) return std::nullopt;
  // Programs of one sandbox may signal each other; who signals those that look after them
  // ends its own (Attendants).
  auto inner = platform::MakeInnerLine(platform::InnerReach::kTracingRefused);
  if (!inner) return SetbackOf(Layer::kLandlock, inner.error());
  inner_line_ = std::move(*inner);
  return std::nullopt;
}

// The launcher first: from then on it does not mind that whoever was told goes.
bool Residence::TellReady() {
  const bool told = platform::SendMessage(terms_.launcher.get(), kResidentReady, {}) &&
                    terms_.control.Send(sandbox::Ready{terms_.layers}, line_.handed_out());
  UniqueFd(terms_.control.socket()).reset();
  return told;
}

void Residence::Serve() {
  constexpr std::size_t kFixed = 2;
  platform::GiveBackMemory();
  for (;;) {
    std::vector<platform::Awaited> awaited(kFixed);
    awaited[0].descriptor = terms_.launcher.get();
    awaited[1].descriptor = signals_->descriptor();
    for (const Visitor& visitor : visitors_) {
      awaited.emplace_back().descriptor = visitor.connection.get();
    }
    platform::AwaitAny(awaited, TimeToNext());
    signals_->Take();
    attendants_->Reap(frozen_ ? Attendants::Stops::kByUs : Attendants::Stops::kByOthers);
    Sample();
    for (std::size_t i = visitors_.size(); i-- > 0;) {
      if (!awaited[kFixed + i].happened) continue;
      UniqueFd connection = std::move(visitors_[i].connection);
      visitors_.erase(visitors_.begin() + static_cast<std::ptrdiff_t>(i));
      Answer(std::move(connection));
    }
    DropSilent();
    if (awaited[0].happened && !Admit()) return;
  }
}

std::optional<milliseconds> Residence::TimeToNext() const {
  std::optional<milliseconds> next;
  const auto sooner = [&next](milliseconds time) { next = next ? std::min(*next, time) : time; };
  if (attendants_->sweeping()) sooner(kSweepAgain);
  if (Samples() && !frozen_) sooner(kSampleEvery);
  if (!visitors_.empty()) sooner(kSpeakWithin);
  return next;
}

bool Residence::Admit() {
  auto message = platform::ReceiveMessage(terms_.launcher.get(), 1);
  if (!message || message->bytes.empty()) return false;
  if (message->descriptors.size() != 1 || visitors_.size() >= kMostWaiting) return true;
  visitors_.push_back({std::move(message->descriptors.front()), Clock::now() + kSpeakWithin});
  return true;
}

void Residence::DropSilent() {
  const auto now = Clock::now();
  std::erase_if(visitors_, [now](const Visitor& visitor) { return visitor.until <= now; });
}

void Residence::Answer(UniqueFd connection) {
  auto message = platform::ReceiveMessage(connection.get(), sandbox::kMaxRequestBytes);
  if (!message || message->bytes.empty()) return;
  const auto request = sandbox::DecodeRequest(message->bytes);
  if (!request) return;
  std::visit(
      [&](const auto& asked) { Do(asked, std::move(connection), std::move(message->descriptors)); },
      *request);
}

void Residence::Do(const sandbox::Execute& execute, UniqueFd connection,
                   std::vector<UniqueFd> given) {
  const auto fail = [&connection](const char* what, int os_errno) {
    const sandbox::Report report = sandbox::Failed{sandbox::Failed::Stage::kSetUp, what, os_errno};
    static_cast<void>(platform::SendMessage(connection.get(), Encode(report), {}));
  };
  if (frozen_) return fail("paused", EAGAIN);
  const auto child = platform::RunInCopy({}, [&] {
    terms_.launcher.reset();
    visitors_.clear();
    line_.Close();
    return Attend({terms_.spec, terms_.layers, line_.environment(), terms_.group,
                   FilterOf(FilterFor(terms_.spec, terms_.layers)), inner_line_.get(), execute,
                   std::move(connection), std::move(given)});
  });
  if (!child) return fail("clone", child.error().os_errno);
  attendants_->Add(child->process);
}

void Residence::Do(const sandbox::Dial& dial, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  // Elsewhere it would be the host's loopback.
  if (!terms_.layers.Has(Layer::kNetworkNamespace)) return Send(connection, Dialled{EOPNOTSUPP});
  const auto dialled = platform::DialLoopback(dial.port, kDialWait);
  if (!dialled) {
    const int os_errno = dialled.error().os_errno;
    return Send(connection, Dialled{os_errno != 0 ? os_errno : ECONNREFUSED});
  }
  const int descriptor = dialled->get();
  Send(connection, Dialled{0}, {&descriptor, 1});
}

void Residence::Do(const sandbox::Look& /*look*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  sandbox::Seen seen = Survey(attendants_->all(), terms_.group);
  Describe(seen);
  Send(connection, seen);
}

void Residence::Do(const sandbox::Glance& /*glance*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  sandbox::Seen seen = Glimpse(terms_.group);
  Describe(seen);
  Send(connection, seen);
}

// What this process itself knows.
void Residence::Describe(sandbox::Seen& seen) const {
  const sandbox::Limits& limits = terms_.spec.limits;
  if (terms_.group == nullptr) {
    seen.held.memory = limits.memory;
    if (terms_.layers.Has(Layer::kUserNamespace)) seen.held.processes = limits.processes;
  } else if (seen.held.processes != 0) {
    seen.held.processes = limits.processes;  // without this process
  }
  seen.out_of_memory += memory_ends_;
  seen.state = frozen_ ? sandbox::Seen::State::kFrozen : sandbox::Seen::State::kRunning;
  seen.layers = terms_.layers;
}

void Residence::Do(const sandbox::Freeze& /*freeze*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  frozen_ = true;
  platform::HoldNamespace(platform::HoldSignal::kStop);
  Send(connection, Done{0});
}

void Residence::Do(const sandbox::Thaw& /*thaw*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  while (platform::NextStopped()) {
  }  // they were stopped by us
  platform::HoldNamespace(platform::HoldSignal::kContinue);
  frozen_ = false;
  Send(connection, Done{0});
}

void Residence::Do(const sandbox::SignalOne& one, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  const ProcessId process = one.process;
  if (process <= 1 || attendants_->Include(process)) return Send(connection, Done{ESRCH});
  const Status sent = platform::SignalByNumber(process, one.signal);
  Send(connection, Done{sent ? 0 : sent.error().os_errno});
}

void Residence::Do(const sandbox::Vanish& /*vanish*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  const int descriptor = connection.get();
  static_cast<void>(
      platform::SendMessage(terms_.launcher.get(), kVisitorEndsAll, {&descriptor, 1}));
}

void Residence::Do(const sandbox::Clear& /*clear*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  // Attendants as well: whoever asked for a program sees its connection close.
  platform::SignalNamespace(platform::EndSignal::kKill);
  Send(connection, Done{0});
}

void Residence::Do(const sandbox::Watch& /*watch*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  const int descriptor = connection.get();
  // It answers, as it has what tells of this process's end.
  static_cast<void>(platform::SendMessage(terms_.launcher.get(), kVisitorStays, {&descriptor, 1}));
}

void Residence::Do(const sandbox::HandOut& /*hand_out*/, UniqueFd connection,
                   const std::vector<UniqueFd>& /*given*/) {
  const std::vector<int> listeners = line_.handed_out();
  Send(connection, Done{listeners.empty() ? ENOENT : 0}, listeners);
}

void Residence::Sample() {
  if (!Samples() || frozen_) return;
  if (attendants_->HoldMemory(terms_.spec.limits.memory)) ++memory_ends_;
}

}  // namespace

int RunResident(InsideTerms terms) {
  UniqueFd(sandbox::kRequestsDescriptor).reset();
  UniqueFd(sandbox::kEpitaphDescriptor).reset();
  Residence residence(terms);
  if (const auto setback = residence.Start()) {
    return platform::SendMessage(terms.launcher.get(), Encode(*setback), {}) ? 0 : 1;
  }
  if (!residence.TellReady()) return 1;
  residence.Serve();
  return 0;
}

}  // namespace cordon::launch
