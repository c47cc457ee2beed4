// Names looked up without holding up anybody.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "net/egress_proxy.h"

namespace cordon::net {

// The system's resolver cannot be interrupted, so its threads are left to themselves when
// the proxy ends; they then find nobody to tell.
class EgressLookup {
 public:
  using Done = std::function<void(const EgressWorld::Addresses& addresses)>;
  struct Limits {
    std::size_t threads;
    std::size_t waiting;
  };

  EgressLookup(boost::asio::io_context& io, const EgressWorld& world, Limits limits);
  ~EgressLookup();  // nothing is told after it
  EgressLookup(const EgressLookup&) = delete;
  EgressLookup& operator=(const EgressLookup&) = delete;

  // `done` runs in the I/O thread, later; what it holds may be dropped in another. An error
  // kLimitExceeded: too many wait.
  void Ask(const std::string& name, Done done);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cordon::net
