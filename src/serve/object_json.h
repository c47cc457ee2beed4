// What the store keeps, as clients see it.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "cordon/result.h"
#include "provision/sandboxes.h"
#include "serve/json_body.h"
#include "store/records.h"

namespace cordon::serve {

// "2026-11-16T05:12:25.123Z"
std::string TimeText(store::Time time);

boost::json::object SandboxObject(const store::Sandbox& sandbox);
// With the fields by which conversations know their sandbox.
boost::json::object ConversationObject(const store::Conversation& conversation,
                                       const std::optional<store::Sandbox>& sandbox);
boost::json::object TokenObject(const store::Token& token);
boost::json::object UserObject(const store::User& user);

// {"driver", "image", "resources", "environment", "network", "isolation", "lifetimeSeconds",
// "idleSeconds"}. Errors are left in `body`.
provision::Wish ReadWish(JsonBody& body);

}  // namespace cordon::serve
