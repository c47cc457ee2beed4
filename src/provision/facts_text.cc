#include "provision/facts_text.h"

#include <boost/json.hpp>

namespace cordon::provision {
namespace {

namespace json = boost::json;

Error Invalid() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "facts";
  error.detail = "these are not the facts of a sandbox";
  return error;
}

// Throws what Boost.JSON throws.
Result<Facts> FactsFrom(const json::object& object) {
  Facts facts;
  const auto isolation = ParseIsolation(json::value_to<std::string>(object.at("isolation")));
  if (!isolation) return Invalid();
  facts.isolation = *isolation;
  facts.isolation_detail = json::value_to<std::string>(object.at("isolationDetail"));
  facts.handle = json::value_to<std::string>(object.at("handle"));
  const json::object& resources = object.at("resources").as_object();
  facts.resources.cpus = resources.at("cpus").to_number<double>();
  facts.resources.memory = resources.at("memory").to_number<std::uint64_t>();
  facts.resources.processes = resources.at("processes").to_number<std::uint64_t>();
  facts.resources.disk = resources.at("disk").to_number<std::uint64_t>();
  // Facts of earlier versions do not tell.
  if (const json::value* hold = object.if_contains("diskHold")) {
    const auto name = json::value_to<std::string>(*hold);
    for (const DiskHold known : {DiskHold::kWatched, DiskHold::kQuota}) {
      if (DiskHoldName(known) == name) facts.disk_hold = known;
    }
  }
  return facts;
}

}  // namespace

std::string EncodeFacts(const Facts& facts) {
  const json::object resources{{"cpus", facts.resources.cpus},
                               {"memory", facts.resources.memory},
                               {"processes", facts.resources.processes},
                               {"disk", facts.resources.disk}};
  return json::serialize(json::object{{"isolation", IsolationName(facts.isolation)},
                                      {"isolationDetail", facts.isolation_detail},
                                      {"handle", facts.handle},
                                      {"diskHold", DiskHoldName(facts.disk_hold)},
                                      {"resources", resources}});
}

Result<Facts> DecodeFacts(std::string_view json) {
  boost::system::error_code failed;
  const json::value value = json::parse(json, failed);
  if (failed || !value.is_object()) return Invalid();
  try {
    return FactsFrom(value.get_object());
  } catch (const std::exception&) {
    return Invalid();
  }
}

}  // namespace cordon::provision
