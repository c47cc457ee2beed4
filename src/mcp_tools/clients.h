// Every client works through a Guard of its own.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "cordon/result.h"
#include "guard/guard.h"
#include "mcp/exchange.h"

namespace cordon::mcp_tools {

struct GivenRoots;  // clients.cc

// Guarantees: no client's Guard reaches further than the operator's boundary. A client of
//   the handshake era that has roots works in what lies in both, and nowhere if nothing
//   does; from the first request that came after it said that they are others, in those.
//   Clients of the stateless era share a Guard with whoever is the same principal; they
//   are not asked for roots, and the operator's hold alone.
// Does not guarantee: that roots confine the client; it names them itself. One that gives
//   none, or no answer, is not narrowed; where the answer to a change is missing, what
//   held before holds.
// Thread safety: every method may run concurrently.
class Clients {
 public:
  // `parts.session` is the beginning of every client's: its id is followed by one of the
  // client's own.
  explicit Clients(guard::Guard::Parts parts);

  // What a session keeps; asks for the client's roots.
  std::shared_ptr<void> Join(mcp::Exchange& exchange);
  void RootsChanged(mcp::Exchange& exchange);

  // Errors: kPathOutsideProject when the client's roots leave nothing; kIoError when its
  //   session cannot be recorded.
  Result<std::shared_ptr<guard::Guard>> GuardOf(mcp::Exchange& exchange);

 private:
  struct Member;
  struct Known {
    std::string principal;
    std::shared_ptr<guard::Guard> guard;
  };

  Result<std::shared_ptr<guard::Guard>> Start(guard::Boundary boundary, const mcp::Client& client);
  Result<std::shared_ptr<guard::Guard>> StartWithin(const GivenRoots& given,
                                                    const mcp::Client& client);
  Result<std::shared_ptr<guard::Guard>> OfPrincipal(const mcp::Client& client);

  const guard::Guard::Parts parts_;
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::list<Known> known_;  // of the stateless era, the last used first
};

}  // namespace cordon::mcp_tools
