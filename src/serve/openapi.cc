#include "serve/openapi.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "net/ascii.h"
#include "serve/schemas.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

json::object Reference(std::string_view schema) {
  std::string target = "#/components/schemas/";
  target += schema;
  return {{"$ref", target}};
}

bool IsNone(const Content& content) {
  return content.schema.empty() && content.media_type == "application/json";
}

json::object ContentObject(const Content& content) {
  json::object media;
  media["schema"] =
      content.schema.empty() ? json::object{{"type", "string"}} : Reference(content.schema);
  return {{content.media_type, std::move(media)}};
}

// "{path*}" is "{path}" to the document, which has no word for what may hold slashes.
std::string DocumentPath(std::string_view path) {
  std::string plain(path);
  if (plain.ends_with("*}")) plain.erase(plain.size() - 2, 1);
  return plain;
}

json::array ParametersOf(const Route& route) {
  json::array parameters;
  const std::string path = DocumentPath(route.path);
  for (std::size_t begin = path.find('{'); begin != std::string::npos;
       begin = path.find('{', begin + 1)) {
    const std::size_t end = path.find('}', begin);
    parameters.push_back(json::object{{"name", path.substr(begin + 1, end - begin - 1)},
                                      {"in", "path"},
                                      {"required", true},
                                      {"schema", {{"type", "string"}}}});
  }
  for (const QueryParameter& one : route.query) {
    parameters.push_back(json::object{{"name", one.name},
                                      {"in", "query"},
                                      {"description", one.meaning},
                                      {"schema", {{"type", one.type}}}});
  }
  return parameters;
}

json::object AnswersOf(const Route& route) {
  json::object answers;
  for (const Answer& one : route.answers) {
    json::object answer{{"description", one.meaning}};
    if (!IsNone(one.content)) answer["content"] = ContentObject(one.content);
    json::value& there = answers[std::to_string(one.status)];
    if (there.is_object() && answer.contains("content")) {  // the same in another form
      json::object& forms = there.as_object()["content"].as_object();
      for (const auto& form : answer["content"].as_object()) forms[form.key()] = form.value();
      continue;
    }
    there = std::move(answer);
  }
  answers["default"] =
      json::object{{"description", "Why not"}, {"content", ContentObject({"Problem"})}};
  return answers;
}

json::object OperationOf(const Route& route) {
  json::object operation{{"operationId", route.operation}, {"summary", route.summary}};
  if (json::array parameters = ParametersOf(route); !parameters.empty()) {
    operation["parameters"] = std::move(parameters);
  }
  if (!IsNone(route.body)) operation["requestBody"] = {{"content", ContentObject(route.body)}};
  operation["responses"] = AnswersOf(route);
  json::array security;
  if (route.admits == Admits::kTokens) {
    json::array scopes;
    if (!route.scope.empty()) scopes.emplace_back(route.scope);
    security.push_back(json::object{{"token", std::move(scopes)}});
  }
  operation["security"] = std::move(security);
  return operation;
}

}  // namespace

std::string OpenApiText(const Routes& routes, std::string_view version) {
  json::object paths;
  for (const Route& route : routes) {
    json::value& path = paths[DocumentPath(route.path)];
    if (!path.is_object()) path.emplace_object();
    path.as_object()[net::LowerCase(route.method)] = OperationOf(route);
  }
  const json::object document{
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Cordon"},
        {"version", version},
        {"description", "One sandbox per conversation, with its files, programs and tools."}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas", json::parse(SchemasText())},
        {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
  return json::serialize(document);
}

}  // namespace cordon::serve
