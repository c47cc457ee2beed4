// What the sessions of one egress proxy have in common. Of its I/O thread alone, but for
// `count`.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

#include "net/egress_lookup.h"
#include "net/egress_proxy.h"
#include "policy/network_rules.h"

namespace cordon::net {

class EgressSession;

struct EgressCore {
  EgressCore(policy::NetworkRules rules_in, EgressObserver observer_in, EgressWorld world_in,
             const EgressLimits& limits_in)
      : rules(std::move(rules_in)),
        observer(std::move(observer_in)),
        world(std::move(world_in)),
        limits(limits_in) {}

  policy::NetworkRules rules;
  EgressObserver observer;  // before `io`: what that drops still reports
  EgressWorld world;
  EgressLimits limits;
  std::function<void()> room;  // called when a session has ended, or rests
  std::atomic<std::size_t> count{0};
  boost::asio::io_context io{1};
  std::unordered_map<const EgressSession*, std::shared_ptr<EgressSession>> sessions;
  EgressLookup lookup{io, world, {limits.lookups, limits.connections}};
};

}  // namespace cordon::net
