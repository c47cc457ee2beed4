// What a sandbox is asked to be.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::provision {

// Terms without an id, which several sandboxes can share: the pool is made of such.
struct Wish {
  std::string driver;  // "": the first one
  std::string image;
  Resources resources;
  std::vector<std::string> environment;
  std::string network = "none";
  std::optional<Isolation> isolation;  // unset: what the driver gives
  std::optional<std::chrono::seconds> lifetime, idle;
};
std::string Encode(const Wish& wish);  // JSON, the same for equal wishes
Result<Wish> DecodeWish(std::string_view json);

// Errors: kInvalidArguments, with what is wrong.
Status CheckWish(const Wish& wish);

// Without what only matters once it is handed out: wishes with the same text can be served by the
// same sandbox of the pool.
std::string PoolKey(Wish wish);

Terms TermsOf(const SandboxId& id, const Wish& wish);

}  // namespace cordon::provision
