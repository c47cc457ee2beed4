#include "mcp/questions.h"

namespace cordon::mcp {

bool CanBeAsked(const Client& client, std::string_view method) {
  if (method == "elicitation/create") return client.Can("elicitation");
  if (method == "roots/list") return client.Can("roots");
  if (method == "sampling/createMessage") return client.Can("sampling");
  return false;
}

}  // namespace cordon::mcp
