// The two halves of a session's secret, and where a request shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace cordon::serve {

inline constexpr std::string_view kSessionCookie = "cordon_";   // how the cookie's name begins
inline constexpr std::string_view kSessionPrefix = "session_";  // how the secret begins
inline constexpr std::string_view kKeyField = "Cordon-Key";
// A WebSocket's request cannot have fields of ours: there the key is among the subprotocols.
inline constexpr std::string_view kKeySubprotocol = "cordon.key.";

// What the store has the hash of.
std::string SessionSecret(std::string_view cookie, std::string_view key);

// The secret that a request of our own page shows. Unset: one half is missing, or another site has
// sent it; a WebSocket must say where it comes from, any other request may leave it out.
std::optional<std::string> SessionSecretOf(const net::HttpRequest& request);

// A session ends with the token it was opened with, which stands among its scopes.
std::string ParentScope(std::string_view token);
std::optional<std::string_view> ParentOf(std::string_view scope);

}  // namespace cordon::serve
