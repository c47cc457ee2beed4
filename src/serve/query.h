// What stands after the question mark.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::serve {

class Query {
 public:
  // Errors: kInvalidArguments for what cannot be decoded.
  static Result<Query> Parse(std::string_view text);

  std::optional<std::string> Text(std::string_view name) const;
  // All of that name; each may hold several, with commas between.
  std::vector<std::string> List(std::string_view name) const;
  // Errors: kInvalidArguments for what is no number from `least` to `most`.
  Result<std::uint64_t> NumberOr(std::string_view name, std::uint64_t otherwise,
                                 std::uint64_t least, std::uint64_t most) const;

 private:
  std::multimap<std::string, std::string, std::less<>> values_;
};

}  // namespace cordon::serve
