// HTTP as a handler sees it: one request, complete.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::net {

// In the order in which they came.
class HttpFields {
 public:
  HttpFields() = default;
  HttpFields(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}
  void Add(std::string name, std::string value);
  // The first of this name, whatever the case; blanks around it removed.
  std::optional<std::string_view> Find(std::string_view name) const;
  std::size_t Count(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& all() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

struct HttpRequest {
  std::string method;  // "POST"
  std::string path;    // of the target, as sent, without the query
  std::string query;   // without the question mark
  HttpFields fields;
  std::string body;
  std::any badge = {};  // what the gate has found out of who asks (HttpGate)
};

struct HttpResponse {
  std::uint16_t status = 200;
  HttpFields fields = {};
  std::string body = {};
};

}  // namespace cordon::net
