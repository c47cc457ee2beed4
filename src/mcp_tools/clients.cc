#include "mcp_tools/clients.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "mcp_tools/file_uri.h"

namespace cordon::mcp_tools {

// What a client answers to "roots/list".
struct GivenRoots {
  std::vector<std::string> directories;
  enum class Said { kNothing, kSome } said = Said::kNothing;
};

namespace {

namespace json = boost::json;
using GuardPtr = std::shared_ptr<guard::Guard>;

constexpr std::chrono::seconds kRootsPatience{10};
constexpr std::size_t kMostPrincipals = 256;
constexpr std::size_t kMostRoots = 1024;

// What is no file of this host is a root all the same: one that lies outside.
GivenRoots RootsIn(const json::object& answer) {
  GivenRoots given;
  const json::value* const roots = answer.if_contains("roots");
  if (roots == nullptr || !roots->is_array()) return given;
  for (const json::value& root : roots->as_array()) {
    given.said = GivenRoots::Said::kSome;
    if (given.directories.size() == kMostRoots) break;
    const json::object* const object = root.if_object();
    const json::value* const uri = object != nullptr ? object->if_contains("uri") : nullptr;
    if (uri == nullptr || !uri->is_string()) continue;
    if (auto path = PathOfUri(uri->as_string())) given.directories.push_back(*std::move(path));
  }
  return given;
}

// Unset: it has none, or does not say.
std::optional<GivenRoots> AskRoots(mcp::Exchange& exchange) {
  if (!exchange.client().Can("roots")) return std::nullopt;
  const auto answer = exchange.Ask("roots", "roots/list", {}, kRootsPatience);
  if (!answer) return std::nullopt;
  return RootsIn(*answer);
}

std::string ActorOf(const std::string& actor, const mcp::Client& client) {
  if (client.name.empty()) return actor;
  // What it calls itself is its own word, and marked as such.
  return actor + " (" + Printable(client.name, 64) + ")";
}

}  // namespace

// One session of the handshake era.
struct Clients::Member {
  std::mutex mutex;
  Result<GuardPtr> guard = GuardPtr();
};

Clients::Clients(guard::Guard::Parts parts) : parts_(std::move(parts)) {}

Result<GuardPtr> Clients::Start(guard::Boundary boundary, const mcp::Client& client) {
  guard::Session session = parts_.session;
  {
    const std::lock_guard lock(mutex_);
    session.id += "." + std::to_string(++last_);
  }
  session.actor = ActorOf(session.actor, client);
  TRY_ASSIGN(std::unique_ptr<guard::Guard> guard,
             guard::Guard::Start({std::move(boundary), parts_.recorder, parts_.desk,
                                  std::move(session), parts_.keeper, parts_.commands}));
  return GuardPtr(std::move(guard));
}

Result<GuardPtr> Clients::StartWithin(const GivenRoots& given, const mcp::Client& client) {
  if (given.said == GivenRoots::Said::kNothing) return Start(parts_.boundary, client);
  TRY_ASSIGN(guard::Boundary narrow, parts_.boundary.NarrowedTo(given.directories));
  return Start(std::move(narrow), client);
}

std::shared_ptr<void> Clients::Join(mcp::Exchange& exchange) {
  auto member = std::make_shared<Member>();
  member->guard = StartWithin(AskRoots(exchange).value_or(GivenRoots()), exchange.client());
  return member;
}

void Clients::RootsChanged(mcp::Exchange& exchange) {
  const auto member = std::static_pointer_cast<Member>(exchange.attachment());
  const std::optional<GivenRoots> given = AskRoots(exchange);
  if (!member || !given) return;
  Result<GuardPtr> next = StartWithin(*given, exchange.client());
  const std::lock_guard lock(member->mutex);
  std::swap(member->guard, next);  // the old one ends with its last call
}

Result<GuardPtr> Clients::OfPrincipal(const mcp::Client& client) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
      return known.principal == client.principal.id;
    });
    if (found != known_.end()) {
      known_.splice(known_.begin(), known_, found);
      return found->guard;
    }
  }
  TRY_ASSIGN(GuardPtr guard, Start(parts_.boundary, client));
  GuardPtr dropped;  // ends, and says so in the log, after the lock
  const std::lock_guard lock(mutex_);
  known_.push_front({client.principal.id, guard});
  if (known_.size() > kMostPrincipals) {
    dropped = std::move(known_.back().guard);
    known_.pop_back();
  }
  return guard;
}

Result<GuardPtr> Clients::GuardOf(mcp::Exchange& exchange) {
  const auto member = std::static_pointer_cast<Member>(exchange.attachment());
  if (!member) return OfPrincipal(exchange.client());
  const std::lock_guard lock(member->mutex);
  return member->guard;
}

}  // namespace cordon::mcp_tools
