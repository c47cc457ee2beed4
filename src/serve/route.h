// One operation of the API: how it is reached, who may, what it does, and how the OpenAPI document
// tells of it. The router and the document are made from the same routes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "serve/call.h"

namespace cordon::serve {

// What goes over the wire. `schema` names one of schemas.h; "": bytes of that media type.
struct Content {
  std::string_view schema;
  std::string_view media_type = "application/json";
};

struct Answer {
  std::uint16_t status = 200;
  std::string_view meaning;
  Content content = {};  // without schema and with the usual media type: no body
};

struct QueryParameter {
  std::string_view name;
  std::string_view type;  // "string", "integer"
  std::string_view meaning;
};

enum class Admits { kTokens, kEverybody };

struct Route {
  std::string_view method;
  std::string_view path;       // "/v1/sandboxes/{id}/files/{path*}"; the last may take all the rest
  std::string_view operation;  // "getSandbox"; unique
  std::string_view summary;
  std::string_view scope;  // that the token must have; "": any token
  std::vector<Answer> answers;
  Handler handler;
  std::vector<QueryParameter> query = {};
  Content body = {};
  Admits admits = Admits::kTokens;
};

using Routes = std::vector<Route>;

}  // namespace cordon::serve
