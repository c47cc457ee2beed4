#include "serve/shown.h"

#include <utility>

#include "preview/previews.h"
#include "serve/object_json.h"

namespace cordon::serve {
namespace {

void AddUrl(const Context& context, store::Sandbox& sandbox) {
  sandbox.public_url.clear();
  if (!context.previews) return;
  if (auto url = context.previews->Url(sandbox)) sandbox.public_url = std::move(*url);
}

}  // namespace

boost::json::object ShownSandbox(const Context& context, store::Sandbox sandbox) {
  AddUrl(context, sandbox);
  return SandboxObject(sandbox);
}

boost::json::object ShownConversation(const Context& context,
                                      const store::Conversation& conversation,
                                      std::optional<store::Sandbox> sandbox) {
  if (sandbox) AddUrl(context, *sandbox);
  return ConversationObject(conversation, sandbox);
}

}  // namespace cordon::serve
