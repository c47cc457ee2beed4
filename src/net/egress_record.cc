#include "net/egress_record.h"

#include <utility>

#include "base/printable.h"

namespace cordon::net {
namespace {

constexpr std::size_t kMaxHost = 256;  // of what is repeated

}  // namespace

std::string_view EgressProtocolName(EgressProtocol protocol) {
  switch (protocol) {
    case EgressProtocol::kConnect: return "connect";
    case EgressProtocol::kHttp: return "http";
    case EgressProtocol::kSocks5: return "socks5";
  }
  return "";
}

std::string_view EgressEndName(EgressEnd end) {
  switch (end) {
    case EgressEnd::kServed: return "served";
    case EgressEnd::kNotFound: return "not_found";
    case EgressEnd::kUnreachable: return "unreachable";
    case EgressEnd::kTimeout: return "timeout";
  }
  return "";
}

EgressRecord::EgressRecord(EgressCore& core, EgressProtocol protocol, std::string_view host,
                           std::uint16_t port)
    : core_(core) {
  request_.protocol = protocol;
  request_.host = Printable(host, kMaxHost);
  request_.port = port;
}

EgressRecord::Told EgressRecord::Decide(const policy::NetworkVerdict& verdict,
                                        std::string address) {
  request_.rule = verdict.rule;
  request_.why = verdict.why;
  request_.address = std::move(address);
  request_.allowed = verdict.allowed();
  if (!core_.observer) return Told::kYes;
  try {
    core_.observer(request_);
    return Told::kYes;
  } catch (...) {
    request_.allowed = false;
    request_.rule = "record";
    request_.why = "the request could not be recorded";
    return Told::kLost;
  }
}

EgressRecord::~EgressRecord() {
  if (!request_.allowed || !core_.observer) return;
  request_.stage = EgressRequest::Stage::kEnded;
  try {
    core_.observer(request_);
  } catch (...) {  // it has happened; that it began is recorded
    return;
  }
}

void TellMalformed(EgressCore& core, EgressProtocol protocol, std::string_view why) {
  EgressRecord record(core, protocol, "", 0);
  // Refused either way, so it does not matter whether anybody was told.
  static_cast<void>(
      record.Decide({policy::NetworkRefusal::kMalformed, "request", Printable(why)}, ""));
}

}  // namespace cordon::net
