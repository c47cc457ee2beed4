#include "mcp/stateless_request.h"

#include <boost/json/array.hpp>
#include <string>
#include <utility>

#include "mcp/canonical_json.h"
#include "mcp/request_notices.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kInfo = "io.modelcontextprotocol/clientInfo";

RpcError Unsupported(std::string_view requested) {
  json::array supported;
  for (const Revision revision : RevisionsOf(Era::kStateless)) {
    supported.emplace_back(RevisionName(revision));
  }
  return {RpcCode::kUnsupportedRevision, "Unsupported protocol version",
          json::object{{"supported", std::move(supported)}, {"requested", requested}}};
}

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::make_unexpected(InvalidParams(std::move(message)));
}

std::string TextIn(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

Answered<Client> ReadClient(const json::object& params, Principal principal) {
  const json::object* const meta = MetaOf(params);
  if (meta == nullptr) return Invalid("\"_meta\" is missing");
  const json::value* const version = meta->if_contains(kVersion);
  if (version == nullptr || !version->is_string()) {
    return Invalid("_meta must have " + std::string(kVersion));
  }
  const std::optional<Revision> revision = ParseRevision(version->get_string());
  if (!revision || EraOf(*revision) != Era::kStateless) {
    return tl::make_unexpected(Unsupported(version->get_string()));
  }
  const json::value* const capabilities = meta->if_contains(kCapabilities);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return Invalid("_meta must have " + std::string(kCapabilities));
  }
  Client client;
  client.principal = std::move(principal);
  client.revision = *revision;
  client.capabilities = capabilities->get_object();
  if (const json::value* const info = meta->if_contains(kInfo); info && info->is_object()) {
    client.name = TextIn(info->get_object(), "name");
    client.version = TextIn(info->get_object(), "version");
  }
  return client;
}

Binding BindingOf(const Request& request, const Principal& principal) {
  json::object params = request.params;
  for (const std::string_view left_out : {"_meta", "inputResponses", "requestState"}) {
    params.erase(left_out);
  }
  return {principal.id, request.method, Sha256(CanonicalText(params))};
}

}  // namespace cordon::mcp
