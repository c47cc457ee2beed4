// Sandboxes and conversations as the API shows them, with where their previews are.
#pragma once

#include <boost/json/object.hpp>
#include <optional>

#include "serve/context.h"
#include "store/records.h"

namespace cordon::serve {

// In development a preview's port is reserved by this. Without one, for lack of ports or because
// the sandbox has ended, nothing is said of a preview.
boost::json::object ShownSandbox(const Context& context, store::Sandbox sandbox);
boost::json::object ShownConversation(const Context& context,
                                      const store::Conversation& conversation,
                                      std::optional<store::Sandbox> sandbox);

}  // namespace cordon::serve
