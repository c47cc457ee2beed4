// A JSON object that a client sent, field by field.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "net/http_message.h"

namespace cordon::serve {

// Reads what is there and remembers the first thing that is wrong, so that one check at the
// end serves all: a field of the wrong type, or one that nobody asked for.
class JsonBody {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  // An empty body is an empty object. Errors: kInvalidArguments, kTooLarge.
  static Result<JsonBody> Parse(const net::HttpRequest& request);
  explicit JsonBody(boost::json::object object) : object_(std::move(object)) {}

  std::optional<std::string> Text(std::string_view name);
  std::optional<std::uint64_t> Number(std::string_view name, std::uint64_t most);
  std::optional<double> Decimal(std::string_view name, double most);
  std::optional<bool> Flag(std::string_view name);
  std::optional<std::vector<std::string>> Texts(std::string_view name);
  std::optional<boost::json::object> Object(std::string_view name);
  // Says that a field cannot be as it is.
  void Refuse(std::string_view name, std::string_view why);

  // Errors: kInvalidArguments, with the field.
  Status Check() const;

 private:
  const boost::json::value* Take(std::string_view name);

  boost::json::object object_;
  std::set<std::string, std::less<>> known_;
  std::optional<Error> wrong_;
};

}  // namespace cordon::serve
