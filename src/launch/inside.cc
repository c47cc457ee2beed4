#include "launch/inside.h"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "base/try.h"
#include "launch/filter_table.h"
#include "launch/line.h"
#include "launch/program.h"
#include "launch/setback.h"
#include "launch/supervision.h"
#include "platform/inherited.h"
#include "platform/landlock.h"
#include "platform/passed_descriptors.h"
#include "platform/start_program.h"
#include "platform/syscall_filter.h"

namespace cordon::launch {
namespace {

using platform::FilterTerms;
using platform::NotStarted;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

constexpr std::string_view kJoined = "g";

class Inside {
 public:
  explicit Inside(InsideTerms& terms)
      : terms_(terms), line_(terms.spec, terms.layers), refusals_(terms.control) {}

  std::optional<Setback> Start() {
    // The first process of a PID namespace is safe from signals that it does not wait for.
    using Of = platform::SignalSource::Of;
    auto signals = platform::SignalSource::Open(
        terms_.layers.Has(Layer::kPidNamespace) ? Of::kChildren : Of::kChildrenAndTermination);
    if (!signals) return SetbackOf(std::nullopt, signals.error());
    signals_ = std::move(*signals);
    if (auto setback = line_.Draw()) return setback;
    if (const Status joined = AwaitGroup(terms_); !joined) {
      return SetbackOf(std::nullopt, joined.error());
    }
    limits_.emplace(terms_.spec.limits, terms_.group);
    if (const Status adopt = platform::AdoptOrphans(); !adopt) {
      return SetbackOf(std::nullopt, adopt.error());
    }
    if (const Status die = platform::DieWithParent(EndOf(terms_.layers)); !die) {
      return SetbackOf(std::nullopt, die.error());
    }
    if (const Status hidden = platform::SetTraceable(platform::Traceable::kNo); !hidden) {
      return SetbackOf(std::nullopt, hidden.error());
    }
    return StartCommand();
  }

  bool TellReady() {
    const Status sent = terms_.control.Send(sandbox::Ready{terms_.layers}, line_.handed_out());
    line_.Close();
    return sent.has_value();
  }

  void Supervise() {
    Supervision::Parts parts{terms_.control, *signals_, *limits_, warden_.get(), first_};
    parts.reach = terms_.layers.Has(Layer::kPidNamespace) ? Supervision::Reach::kNamespace
                                                          : Supervision::Reach::kDescendants;
    Supervision(terms_.spec.limits, parts).Run();
  }

 private:
  std::optional<Setback> StartCommand() {
    platform::UniqueFd inner;
    if (terms_.layers.Has(Layer::kLandlock)) {
      auto made = platform::MakeInnerLine(platform::InnerReach::kSignalsRefusedToo);
      if (!made) return SetbackOf(Layer::kLandlock, made.error());
      inner = std::move(*made);
    }
    const bool supervised = terms_.layers.Has(Layer::kSupervisor);
    platform::ProgramTerms program = Program();
    program.inner_line = inner.get();
    if (terms_.layers.Has(Layer::kSyscallFilter)) {
      const auto filter = FilterOf(FilterFor(terms_.spec, terms_.layers));
      program.filter = [filter, supervised] {
        return platform::InstallFilter(
            filter, supervised ? platform::Listener::kWanted : platform::Listener::kNone);
      };
    }
    NotStarted why;
    auto started = platform::StartProgram(program, why);
    if (!started) return SetbackOf(why, terms_.layers, terms_.spec.arguments.front());
    first_ = started->process;
    if (!supervised) return std::nullopt;
    const auto view =
        terms_.layers.Has(Layer::kMountNamespace) ? warden::View::kOwn : warden::View::kOfHost;
    auto warden = warden::Warden::Make(terms_.spec, view, std::move(started->listener), refusals_);
    if (!warden) return SetbackOf(Layer::kSupervisor, warden.error());
    warden_ = std::move(*warden);
    return std::nullopt;
  }

  platform::ProgramTerms Program() const {
    const Spec& spec = terms_.spec;
    platform::ProgramTerms program;
    program.arguments = spec.arguments;
    program.environment = line_.environment();
    program.candidates = CandidatesFor(spec.arguments.front(), program.environment);
    program.directory = spec.directory;
    program.limits = LimitsOfOne(spec, terms_.layers);
    program.terminal = line_.terminal();
    if (spec.limits.memory != 0) {
      program.out_of_memory = platform::ProgramTerms::OutOfMemory::kFirst;
    }
    return program;
  }

  InsideTerms& terms_;
  Line line_;
  SentRefusals refusals_;
  std::optional<platform::SignalSource> signals_;
  std::optional<LimitWatch> limits_;
  std::unique_ptr<warden::Warden> warden_;
  platform::ProcessId first_ = 0;
};

}  // namespace

FilterTerms FilterFor(const Spec& spec, const LayerSet& layers) {
  FilterTerms terms;
  const bool supervised = layers.Has(Layer::kSupervisor);
  terms.names = supervised ? FilterTerms::Names::kSupervised : FilterTerms::Names::kUnsupervised;
  terms.directories = supervised && spec.listing == sandbox::Listing::kSupervised
                          ? FilterTerms::Directories::kSupervised
                          : FilterTerms::Directories::kNot;
  terms.sockets = spec.network != sandbox::Network::kFull && !layers.Has(Layer::kNetworkNamespace)
                      ? FilterTerms::Sockets::kLocalOnly
                      : FilterTerms::Sockets::kAll;
  // Where the mounts show no sockets of others, none needs to be looked at.
  terms.path_sockets = supervised && !layers.Has(Layer::kMountNamespace)
                           ? FilterTerms::PathSockets::kSupervised
                           : FilterTerms::PathSockets::kNot;
  // The kernel's own limit on a file's size is not asked when blocks are reserved behind its end.
  terms.reserving = spec.limits.file_size != 0 ? FilterTerms::Reserving::kRefused
                                               : FilterTerms::Reserving::kAllowed;
  return terms;
}

platform::EndSignal EndOf(const LayerSet& layers) {
  return layers.Has(Layer::kPidNamespace) ? platform::EndSignal::kKill
                                          : platform::EndSignal::kTerminate;
}

std::optional<LayerSet> WaitToBegin(int launcher, platform::EndSignal with_launcher) {
  // Asked for before waiting: a launcher that has died since closes what is waited at.
  if (!platform::DieWithParent(with_launcher)) return std::nullopt;
  const auto begin = platform::ReceiveMessage(launcher, sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  if (!begin || begin->bytes.size() != sizeof bits) return std::nullopt;
  std::memcpy(&bits, begin->bytes.data(), sizeof bits);
  return LayerSet::OfBits(bits);
}

Status TellToBegin(int inside, const LayerSet& layers) {
  const std::uint64_t bits = layers.bits();
  std::array<char, sizeof bits> bytes;
  std::memcpy(bytes.data(), &bits, sizeof bits);
  return platform::SendMessage(inside, {bytes.data(), bytes.size()}, {});
}

Status AwaitGroup(const InsideTerms& terms) {
  if (terms.group == nullptr) return {};
  TRY_ASSIGN(const auto joined, platform::ReceiveMessage(terms.launcher.get(), kJoined.size()));
  if (joined.bytes == kJoined) return {};
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "cgroup";
  return error;
}

Status TellOfGroup(int inside) { return platform::SendMessage(inside, kJoined, {}); }

int RunInside(InsideTerms terms) {
  Inside inside(terms);
  if (const auto setback = inside.Start()) {
    platform::EndDescendants();  // whatever was started already
    return platform::SendMessage(terms.launcher.get(), Encode(*setback), {}) ? 0 : 1;
  }
  terms.launcher.reset();
  platform::EmptyStandardStreams();
  if (!inside.TellReady()) platform::EndDescendants();
  inside.Supervise();
  return 0;
}

}  // namespace cordon::launch
