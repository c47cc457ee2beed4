#include "tests/support/corpus.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>

namespace cordon::testing {
namespace {

namespace json = boost::json;

std::string Text(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

std::optional<std::string> OptionalText(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return std::nullopt;
  return std::string(value->as_string());
}

std::vector<std::string> Texts(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  if (const json::value* values = object.if_contains(key)) {
    for (const json::value& value : values->as_array()) texts.emplace_back(value.as_string());
  }
  return texts;
}

std::vector<SetupStep> Steps(const json::object& object) {
  std::vector<SetupStep> steps;
  for (const json::value& value : object.at("setup").as_array()) {
    const json::object& step = value.as_object();
    steps.push_back({Text(step, "op"), Text(step, "path"),
                     OptionalText(step, "target").value_or(""),
                     OptionalText(step, "content").value_or("")});
  }
  return steps;
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
  }
  return bytes;
}

BoundaryCase ToBoundaryCase(const json::object& object) {
  BoundaryCase boundary;
  boundary.id = Text(object, "id");
  boundary.platform = Text(object, "platform");
  boundary.root = Text(object, "root");
  boundary.action = Text(object, "action");
  const auto hex = OptionalText(object, "path_hex");
  boundary.path = hex ? FromHex(*hex) : Text(object, "path");
  boundary.kind = Text(object, "kind");
  boundary.setup = Steps(object);
  boundary.to = OptionalText(object, "to");
  boundary.content = OptionalText(object, "content");
  boundary.creates = OptionalText(object, "creates");
  boundary.removes = OptionalText(object, "removes");
  boundary.flags = Texts(object, "flags");
  boundary.needs = Texts(object, "requires");
  const std::string expect = Text(object, "expect");
  if (expect != "allow" && expect != "deny") throw std::runtime_error("expect: " + expect);
  boundary.allow = expect == "allow";
  return boundary;
}

RaceCase ToRaceCase(const json::object& object) {
  RaceCase race;
  race.id = Text(object, "id");
  race.action = Text(object, "action");
  race.path = Text(object, "path");
  race.setup = Steps(object);
  race.swap = object.contains("swap");
  const std::vector<std::string> names = Texts(object, race.swap ? "swap" : "move");
  if (names.size() != 2) throw std::runtime_error(race.id + ": needs two names");
  race.first = names[0];
  race.second = names[1];
  return race;
}

template <typename Convert>
auto Load(const std::string& name, Convert convert) {
  std::vector<decltype(convert(json::object()))> cases;
  const std::string path = std::string(CORDON_SOURCE_DIR) + "/tests/corpus/" + name;
  try {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    const json::value parsed = json::parse(text.str());
    for (const json::value& value : parsed.as_array()) {
      cases.push_back(convert(value.as_object()));
    }
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.what());
    std::abort();
  }
  return cases;
}

}  // namespace

bool BoundaryCase::HasFlag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool BoundaryCase::Needs(std::string_view feature) const {
  return std::find(needs.begin(), needs.end(), feature) != needs.end();
}

const std::vector<BoundaryCase>& BoundaryCases() {
  static const auto cases = Load("boundary-cases.json", ToBoundaryCase);
  return cases;
}

const std::vector<RaceCase>& RaceCases() {
  static const auto cases = Load("race-cases.json", ToRaceCase);
  return cases;
}

std::string TestName(std::string_view id) {
  std::string name(id);
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!plain) c = '_';
  }
  return name;
}

}  // namespace cordon::testing
