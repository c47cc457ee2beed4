#include "net/egress_dial.h"

#include <boost/asio/error.hpp>
#include <utility>

#include "net/egress_address.h"
#include "platform/local_socket.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = asio::steady_timer::clock_type;

constexpr std::size_t kMaxCandidates = 8;  // of one name

}  // namespace

EgressDial::EgressDial(EgressCore& core, const Order& order)
    : core_(core),
      order_(order),
      record_(std::make_shared<EgressRecord>(core, order.protocol, order.host, order.port)),
      timer_(core.io),
      socket_(core.io) {}

void EgressDial::Begin(Done done) {
  done_ = std::move(done);
  target_ = core_.rules.Judge(order_.host, order_.port);
  if (!target_.verdict.allowed()) {
    static_cast<void>(record_->Decide(target_.verdict, ""));
    return Finish(DialResult::Kind::kRefused);
  }
  const std::vector<policy::IpAddress> known = target_.KnownAddresses();
  if (!known.empty()) return Judge(known);
  Arm(core_.limits.connect_time);
  core_.lookup.Ask(target_.name, [weak = weak_from_this()](const EgressWorld::Addresses& found) {
    const auto self = weak.lock();
    if (!self || !self->done_) return;
    if (found && !found->empty()) return self->Judge(*found);
    const bool busy = !found && found.error().code == ErrorCode::kLimitExceeded;
    if (self->record_->Decide(self->target_.verdict, "") == EgressRecord::Told::kLost) {
      return self->Finish(DialResult::Kind::kRefused);
    }
    self->Finish(busy ? DialResult::Kind::kBusy : DialResult::Kind::kNotFound);
  });
}

void EgressDial::Cancel() {
  done_ = nullptr;
  timer_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

void EgressDial::Judge(const std::vector<policy::IpAddress>& found) {
  const EgressWorld::Addresses own = core_.world.own_addresses();
  policy::NetworkVerdict refused = {policy::NetworkRefusal::kAddress, "address",
                                    "this machine's own addresses cannot be told"};
  std::string at = policy::AddressText(found.front());
  for (const policy::IpAddress& address : found) {
    if (!own || candidates_.size() == kMaxCandidates) break;
    const policy::NetworkVerdict verdict = core_.rules.JudgeAddress(target_, address, *own);
    if (verdict.allowed()) {
      candidates_.push_back(address);
    } else {
      refused = verdict;
    }
  }
  if (!candidates_.empty()) at = policy::AddressText(candidates_.front());
  const auto told = record_->Decide(candidates_.empty() ? refused : target_.verdict, at);
  if (candidates_.empty() || told == EgressRecord::Told::kLost) {
    return Finish(DialResult::Kind::kRefused);
  }
  deadline_ = Clock::now() + core_.limits.connect_time;
  TryNext();
}

// Each address has its share of the time that is left.
void EgressDial::TryNext() {
  ++attempt_;
  error_code failed;
  socket_.close(failed);
  if (next_ == candidates_.size()) {
    const bool late = last_ == asio::error::timed_out;
    return Finish(late ? DialResult::Kind::kTimeout : DialResult::Kind::kUnreachable, last_);
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  Arm(left / static_cast<int>(candidates_.size() - next_));
  const policy::IpAddress address = candidates_[next_++];
  const bool six = address.version == policy::IpVersion::k6;
  // Not the library's own: programs that are started would inherit it.
  auto opened = platform::OpenTcpSocket(six ? platform::IpVersion::k6 : platform::IpVersion::k4);
  if (!opened) {
    last_ = asio::error::no_descriptors;
    return TryNext();
  }
  socket_.assign(six ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), opened->get(), last_);
  if (last_) return TryNext();
  static_cast<void>(opened->release());
  record_->Connected(policy::AddressText(address));
  socket_.async_connect({ToAsio(address), order_.port},
                        [self = shared_from_this(), attempt = attempt_](const error_code& result) {
                          if (self->done_ && self->attempt_ == attempt) self->OnConnect(result);
                        });
}

void EgressDial::OnConnect(const error_code& failed) {
  last_ = failed;
  if (failed) return TryNext();
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  Finish(DialResult::Kind::kConnected);
}

void EgressDial::Arm(std::chrono::milliseconds time) {
  timer_.expires_after(std::max(time, std::chrono::milliseconds(1)));
  timer_.async_wait([weak = weak_from_this(), attempt = attempt_](const error_code& aborted) {
    const auto self = weak.lock();
    if (!aborted && self && self->done_ && self->attempt_ == attempt) self->OnTime();
  });
}

void EgressDial::OnTime() {
  last_ = asio::error::timed_out;
  if (next_ > 0) return TryNext();
  // Still looked up; the name was allowed, and nothing more can be said of it.
  if (record_->Decide(target_.verdict, "") == EgressRecord::Told::kLost) {
    return Finish(DialResult::Kind::kRefused);
  }
  Finish(DialResult::Kind::kTimeout, last_);
}

void EgressDial::Finish(DialResult::Kind kind, error_code failed) {
  timer_.cancel();
  const Done done = std::exchange(done_, nullptr);
  switch (kind) {
    case DialResult::Kind::kNotFound: record_->Ends(EgressEnd::kNotFound); break;
    case DialResult::Kind::kTimeout: record_->Ends(EgressEnd::kTimeout); break;
    case DialResult::Kind::kUnreachable:
    case DialResult::Kind::kBusy: record_->Ends(EgressEnd::kUnreachable); break;
    case DialResult::Kind::kConnected:
    case DialResult::Kind::kRefused: break;
  }
  done({kind, failed, std::move(socket_), std::move(record_)});
}

}  // namespace cordon::net
