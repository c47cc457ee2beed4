#include "provision/wish.h"

#include <boost/json.hpp>
#include <cmath>

#include "base/try.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

// With less it cannot even begin: its own process, and what looks after a program, count.
constexpr std::uint64_t kLeastMemory = 8U << 20U;
constexpr std::uint64_t kLeastProcesses = 4;
constexpr std::uint64_t kLeastDisk = 1U << 20U;

Error Invalid(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "wish";
  error.detail = std::move(detail);
  return error;
}

json::object EncodeResources(const Resources& resources) {
  return {{"cpus", resources.cpus},
          {"disk", resources.disk},
          {"memory", resources.memory},
          {"processes", resources.processes}};
}

// Throws what Boost.JSON throws; DecodeWish turns it into an error.
Resources ResourcesFrom(const json::object& object) {
  Resources resources;
  resources.cpus = object.at("cpus").to_number<double>();
  resources.disk = object.at("disk").to_number<std::uint64_t>();
  resources.memory = object.at("memory").to_number<std::uint64_t>();
  resources.processes = object.at("processes").to_number<std::uint64_t>();
  return resources;
}

std::optional<std::chrono::seconds> SecondsFrom(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return std::nullopt;
  return std::chrono::seconds(value->to_number<std::int64_t>());
}

Result<Wish> WishFrom(const json::object& object) {
  Wish wish;
  wish.driver = json::value_to<std::string>(object.at("driver"));
  wish.image = json::value_to<std::string>(object.at("image"));
  wish.resources = ResourcesFrom(object.at("resources").as_object());
  wish.environment = json::value_to<std::vector<std::string>>(object.at("environment"));
  wish.network = json::value_to<std::string>(object.at("network"));
  if (const json::value* isolation = object.if_contains("isolation")) {
    wish.isolation = ParseIsolation(json::value_to<std::string>(*isolation));
    if (!wish.isolation) return Invalid("no such isolation");
  }
  wish.lifetime = SecondsFrom(object, "lifetime");
  wish.idle = SecondsFrom(object, "idle");
  return wish;
}

}  // namespace

std::string Encode(const Wish& wish) {
  // Keys in one order, so that equal wishes have equal texts.
  json::object object{{"driver", wish.driver},
                      {"environment", json::value_from(wish.environment)},
                      {"image", wish.image},
                      {"network", wish.network},
                      {"resources", EncodeResources(wish.resources)}};
  if (wish.isolation) object["isolation"] = IsolationName(*wish.isolation);
  if (wish.lifetime) object["lifetime"] = wish.lifetime->count();
  if (wish.idle) object["idle"] = wish.idle->count();
  return json::serialize(object);
}

Result<Wish> DecodeWish(std::string_view json) {
  boost::system::error_code failed;
  const json::value value = json::parse(json, failed);
  if (failed || !value.is_object()) return Invalid("a wish is a JSON object");
  try {
    return WishFrom(value.get_object());
  } catch (const std::exception& wrong) {
    return Invalid("not a wish: " + std::string(wrong.what()));
  }
}

Status CheckWish(const Wish& wish) {
  if (!std::isfinite(wish.resources.cpus) || wish.resources.cpus < 0) {
    return Invalid("cpus must not be negative");
  }
  const Resources& resources = wish.resources;
  if (resources.memory != 0 && resources.memory < kLeastMemory) {
    return Invalid("a sandbox needs 8 MiB of memory at least");
  }
  if (resources.processes != 0 && resources.processes < kLeastProcesses) {
    return Invalid("a sandbox needs 4 processes at least");
  }
  if (resources.disk != 0 && resources.disk < kLeastDisk) {
    return Invalid("a sandbox needs 1 MiB of disk at least");
  }
  if ((wish.lifetime && wish.lifetime->count() <= 0) || (wish.idle && wish.idle->count() <= 0)) {
    return Invalid("lifetime and idle must be at least a second");
  }
  for (const std::string& variable : wish.environment) {
    const std::size_t sign = variable.find('=');
    if (sign == 0 || sign == std::string::npos || variable.find('\0') != std::string::npos) {
      return Invalid("a variable of the environment is written NAME=value");
    }
  }
  return {};
}

std::string PoolKey(Wish wish) {
  wish.lifetime.reset();
  wish.idle.reset();
  return Encode(wish);
}

Terms TermsOf(const SandboxId& id, const Wish& wish) {
  Terms terms{id};
  terms.image = wish.image;
  terms.resources = wish.resources;
  terms.environment = wish.environment;
  terms.network = wish.network;
  // Whatever the driver gives is at least the weakest.
  terms.isolation = wish.isolation.value_or(Isolation::kContainer);
  return terms;
}

}  // namespace cordon::provision
