// What an answer's data holds, for those who make other texts of it.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string_view>

namespace cordon::tools::dialect {

// Of a field that is there and has the type; otherwise empty, 0, false.
inline std::string_view TextIn(const boost::json::object& data, std::string_view name) {
  const boost::json::value* const value = data.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->as_string())
                                                : std::string_view();
}

inline std::int64_t NumberIn(const boost::json::object& data, std::string_view name) {
  const boost::json::value* const value = data.if_contains(name);
  if (value == nullptr) return 0;
  if (value->is_uint64()) return static_cast<std::int64_t>(value->as_uint64());
  return value->is_int64() ? value->as_int64() : 0;
}

inline bool FlagIn(const boost::json::object& data, std::string_view name) {
  const boost::json::value* const value = data.if_contains(name);
  return value != nullptr && value->is_bool() && value->as_bool();
}

inline const boost::json::array& ListIn(const boost::json::object& data, std::string_view name) {
  static const boost::json::array kNone;
  const boost::json::value* const value = data.if_contains(name);
  return value != nullptr && value->is_array() ? value->as_array() : kNone;
}

}  // namespace cordon::tools::dialect
