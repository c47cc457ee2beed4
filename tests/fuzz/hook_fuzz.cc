// Hook inputs of every agent, and settings files: whatever the bytes are, an event or an
// error comes out, and what install puts in, uninstall takes out.
#include <boost/json/parse.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hook/event.h"
#include "hook/glob.h"
#include "hook/settings.h"

namespace {

using cordon::hook::Agent;
using cordon::hook::Present;

void Require(bool holds) {
  if (!holds) std::abort();
}

void ReadEvent(Agent agent, std::string_view text) {
  const auto event = cordon::hook::ParseEvent(agent, text);
  if (!event) {
    Require(!event.error().detail.empty());
    return;
  }
  Require(!event->name.empty());
  Require(event->touches_nothing() || event->cwd.starts_with('/'));
  Require(event->paths.size() + event->commands.size() <= cordon::hook::kMaxUses);
  for (const auto& use : event->paths) {
    Require(use.path.starts_with(cordon::hook::FixedPart(use.path)));
  }
}

void GoRound(Agent agent, std::string_view text) {
  const Present before{std::string(text), Present::Directory::kThere};
  const auto with = cordon::hook::Install({agent, "/usr/bin/cordon", {}}, before);
  if (!with) return;
  Require(with->text.has_value());
  const auto again = cordon::hook::Install({agent, "/usr/bin/cordon", {}},
                                           {with->text, Present::Directory::kThere});
  Require(again && again->text == with->text);
  const auto without = cordon::hook::Uninstall(agent, {with->text, Present::Directory::kThere});
  // Where it was there already, it is gone now.
  if (!without || !without->text || with->text == before.text) return;
  const auto bare = cordon::hook::Uninstall(agent, before);
  Require(bare.has_value());
  if (bare->text != before.text) return;
  Require(boost::json::parse(*without->text) == boost::json::parse(*before.text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr Agent kAgents[] = {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor};
  const Agent agent = kAgents[data[0] % 4];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReadEvent(agent, text);
  GoRound(agent, text);
  return 0;
}
