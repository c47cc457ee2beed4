#include "mcp/client.h"

#include <boost/json/serialize.hpp>

namespace cordon::mcp {

bool Principal::MayUse(std::string_view scope) const {
  if (!scopes) return true;
  std::string_view rest = *scopes;
  while (!rest.empty()) {
    const std::size_t end = rest.find(' ');
    if (rest.substr(0, end) == scope) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
  return false;
}

bool Client::CanFillForms() const {
  const boost::json::value* const value = capabilities.if_contains("elicitation");
  if (value == nullptr || !value->is_object()) return false;
  const boost::json::object& modes = value->as_object();
  return modes.empty() || modes.contains("form");
}

bool Client::IsTooTalkative() const {
  if (name.size() + version.size() > kMaxSelfDescription) return true;
  return boost::json::serialize(capabilities).size() > kMaxSelfDescription;
}

}  // namespace cordon::mcp
