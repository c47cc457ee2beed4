// Who is at the other end.
#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/revision.h"

namespace cordon::mcp {

// What a transport has made sure of. The same id is the same party.
struct Principal {
  std::string id = "local";  // "local": whoever started us, or holds our socket or token
  // Scopes of an access token, separated by blanks; every scope when unset.
  std::optional<std::string> scopes = {};

  bool MayUse(std::string_view scope) const;
};

// How much a client may say of itself: it is kept as long as the client is known.
inline constexpr std::size_t kMaxSelfDescription = std::size_t{64} << 10;

// What a client says of itself. Nothing here is proof of anything but `principal`.
struct Client {
  Principal principal;
  Revision revision = kNewestHandshake;
  boost::json::object capabilities;
  std::string name;  // "" if it did not say
  std::string version;

  // Whether `capabilities` has it: "elicitation", "roots", "sampling".
  bool Can(std::string_view capability) const { return capabilities.contains(capability); }
  // Forms: an empty "elicitation" object means them, too.
  bool CanFillForms() const;
  bool IsTooTalkative() const;  // has said more than that
};

}  // namespace cordon::mcp
