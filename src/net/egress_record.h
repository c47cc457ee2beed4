// One request as it is told to whoever keeps the record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/egress_core.h"

namespace cordon::net {

// Tells of the decision when it is made and of the end when it is dropped.
class EgressRecord {
 public:
  EgressRecord(EgressCore& core, EgressProtocol protocol, std::string_view host,
               std::uint16_t port);
  ~EgressRecord();
  EgressRecord(const EgressRecord&) = delete;
  EgressRecord& operator=(const EgressRecord&) = delete;

  // Once. kLost: nobody could be told, so it must not happen.
  enum class Told { kYes, kLost };
  Told Decide(const policy::NetworkVerdict& verdict, std::string address);
  void Ends(EgressEnd end) { request_.end = end; }
  void Connected(std::string address) { request_.address = std::move(address); }
  void AddUp(std::uint64_t bytes) { request_.bytes_up += bytes; }
  void AddDown(std::uint64_t bytes) { request_.bytes_down += bytes; }
  const EgressRequest& request() const { return request_; }

 private:
  EgressCore& core_;
  EgressRequest request_;
};

// A request that is refused before it is known for whom it is.
void TellMalformed(EgressCore& core, EgressProtocol protocol, std::string_view why);

}  // namespace cordon::net
