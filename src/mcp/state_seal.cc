#include "mcp/state_seal.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "base/base64.h"
#include "platform/host.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

// How many used states are remembered. When there are more, none is accepted until the
// oldest are void anyway.
constexpr std::size_t kMaxUsed = 100'000;
constexpr std::size_t kMaxSealed = std::size_t{256} << 10;

std::string RandomBytes() {
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t number = platform::RandomNumber();
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return bytes;
}

Error Refusal(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "requestState";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

struct StateSeal::State {
  std::chrono::seconds lifetime;
  Clock clock;
  std::mutex mutex;
  HmacSha256 hmac{RandomBytes()};
  std::uint64_t last = 0;
  std::multimap<std::int64_t, std::uint64_t> used;  // until when, which
  std::set<std::uint64_t> used_numbers;

  std::int64_t Now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock().time_since_epoch()).count();
  }
  std::string TagOf(const Binding& binding, std::string_view body);
  bool Burn(std::uint64_t number, std::int64_t until);
};

// The parts have their lengths before them: no two bindings give the same bytes.
std::string StateSeal::State::TagOf(const Binding& binding, std::string_view body) {
  std::string bytes;
  for (const std::string_view part :
       {std::string_view(binding.principal), std::string_view(binding.method), body}) {
    bytes += std::to_string(part.size());
    bytes += ':';
    bytes += part;
  }
  AppendHex(bytes, binding.arguments);
  const std::lock_guard lock(mutex);
  return ToHex(hmac.Of(bytes));
}

bool StateSeal::State::Burn(std::uint64_t number, std::int64_t until) {
  const std::lock_guard lock(mutex);
  const std::int64_t now = Now();
  while (!used.empty() && used.begin()->first < now) {
    used_numbers.erase(used.begin()->second);
    used.erase(used.begin());
  }
  if (used.size() >= kMaxUsed || !used_numbers.insert(number).second) return false;
  used.emplace(until, number);
  return true;
}

StateSeal::StateSeal(std::chrono::seconds lifetime, Clock clock)
    : state_(std::make_unique<State>()) {
  state_->lifetime = lifetime;
  state_->clock = clock ? std::move(clock) : Clock([] { return std::chrono::system_clock::now(); });
}

StateSeal::~StateSeal() = default;

std::string StateSeal::Seal(const Binding& binding, const json::object& carried) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_->mutex);
    number = ++state_->last;
  }
  const json::object body{
      {"n", number}, {"until", state_->Now() + state_->lifetime.count()}, {"carried", carried}};
  const std::string text = json::serialize(body);
  return Base64Encode(text) + "." + state_->TagOf(binding, text);
}

Result<json::object> StateSeal::Open(const Binding& binding, std::string_view sealed) {
  const std::size_t dot = sealed.find('.');
  if (dot == std::string_view::npos || sealed.size() > kMaxSealed) {
    return Refusal("requestState is not one of ours");
  }
  const std::optional<Digest> tag = FromHex(sealed.substr(dot + 1));
  const std::optional<std::string> text = Base64Decode(sealed.substr(0, dot));
  // What is not ours is not looked at.
  if (!tag || !text || !SameDigest(*tag, *FromHex(state_->TagOf(binding, *text)))) {
    return Refusal("requestState is not one of ours, or not for this request");
  }
  json::error_code failed;
  json::value value = json::parse(*text, failed);
  if (failed || !value.is_object()) return Refusal("requestState cannot be read");
  json::object& body = value.as_object();
  const std::int64_t until = body["until"].to_number<std::int64_t>();
  if (until < state_->Now()) return Refusal("requestState is too old; call again without it");
  if (!state_->Burn(body["n"].to_number<std::uint64_t>(), until)) {
    return Refusal("requestState was used already; call again without it");
  }
  return std::move(body["carried"].as_object());
}

}  // namespace cordon::mcp
