// A value or an Error. Discarding one is a compile error under -Werror.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "cordon/error.h"

namespace cordon {

// tl::expected itself may be discarded without a warning; this may not.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  // NOLINTNEXTLINE(google-explicit-constructor): `return error;` must read well
  Result(Error error) : tl::expected<T, Error>(tl::make_unexpected(std::move(error))) {}
};

using Status = Result<void>;

}  // namespace cordon
