#include "hook/settings.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "hook/pretty_json.h"
#include "hook/settings_entries.h"

namespace cordon::hook {
namespace {

namespace json = boost::json;

Error Unusable(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "settings";
  error.detail = std::move(detail);
  return error;
}

Result<json::object> Parse(std::string_view text) {
  Result<json::value> value = ParseKeepingNumbers(text);
  if (!value) {
    return Unusable("it is not plain JSON (" + value.error().detail +
                    "), so it is left as it is; comments cannot be kept");
  }
  if (!value->is_object()) return Unusable("it is not a JSON object, so it is left as it is");
  return std::move(value->get_object());
}

bool SaysTheSame(const json::value& one, const json::value& other) {
  return PrettyJson(one, "") == PrettyJson(other, "");
}

// As the text was: its indentation, and whether its last line ends.
std::string Written(const json::object& root, const std::optional<std::string>& before) {
  std::string text = PrettyJson(root, before ? IndentOf(*before) : "  ");
  if (!before || before->ends_with('\n')) text += '\n';
  return text;
}

// The member as an object or array, made if missing; null if it is something else.
json::object* ObjectIn(json::object& parent, std::string_view name) {
  if (!parent.contains(name)) parent[name] = json::object();
  return parent[name].if_object();
}
json::array* ArrayIn(json::object& parent, std::string_view name) {
  if (!parent.contains(name)) parent[name] = json::array();
  return parent[name].if_array();
}

// Every array of handlers in an event's array.
template <typename Visit>
void ForEachList(Agent agent, json::array& event, const Visit& visit) {
  if (NestingOf(agent) == Nesting::kHandlers) {
    visit(event);
    return;
  }
  for (json::value& group : event) {
    json::object* object = group.if_object();
    json::value* hooks = object != nullptr ? object->if_contains("hooks") : nullptr;
    if (hooks != nullptr && hooks->is_array()) visit(hooks->get_array());
  }
}

// Puts the wanted terms into the first entry of ours. False: there is none.
bool Renew(const Installation& installation, json::array& event, bool& changed) {
  bool found = false;
  ForEachList(installation.agent, event, [&](json::array& handlers) {
    for (json::value& handler : handlers) {
      const std::optional<Made> made = OursMade(handler, installation.agent);
      if (!made || found) continue;
      found = true;
      json::value wanted = MakeHandler(installation, *made);
      if (SaysTheSame(handler, wanted)) continue;
      handler = std::move(wanted);
      changed = true;
    }
  });
  return found;
}

struct Removed {
  bool any = false;
  Made made = Made::kEntry;  // the most that any of them made
};

void RemoveHandlers(Agent agent, json::array& handlers, Removed& removed) {
  for (auto it = handlers.begin(); it != handlers.end();) {
    if (const std::optional<Made> made = OursMade(*it, agent)) {
      removed.any = true;
      removed.made = std::max(removed.made, *made);
      it = handlers.erase(it);
    } else {
      ++it;
    }
  }
}

void RemoveFrom(Agent agent, json::array& event, Removed& removed) {
  ForEachList(agent, event,
              [&](json::array& handlers) { RemoveHandlers(agent, handlers, removed); });
  if (NestingOf(agent) == Nesting::kHandlers || !removed.any) return;
  for (auto it = event.begin(); it != event.end();) {
    const json::object* group = it->if_object();
    const bool left = group != nullptr && IsOurGroup(*group) && group->at("hooks").is_array() &&
                      group->at("hooks").get_array().empty();
    it = left ? event.erase(it) : it + 1;
  }
}

// Whether nothing but what Install makes with a file is in it.
bool IsBare(Agent agent, const json::object& root) {
  if (root.empty()) return true;
  const json::value* version = root.if_contains("version");
  return agent == Agent::kCursor && root.size() == 1 && version != nullptr &&
         SaysTheSame(*version, json::value(1));
}

// Keeps the order of what stays, which erase does not.
void EraseMember(json::object& object, std::string_view name) {
  json::object rest;
  for (json::key_value_pair& member : object) {
    const std::string_view key(member.key().data(), member.key().size());
    if (key != name) rest.emplace(member.key(), std::move(member.value()));
  }
  object = std::move(rest);
}

}  // namespace

std::span<const std::string_view> FilesOverHooks(Agent agent) {
  static constexpr std::array<std::string_view, 2> kClaude{".claude/settings.json",
                                                           ".claude/settings.local.json"};
  static constexpr std::array<std::string_view, 2> kCodex{".codex/hooks.json",
                                                          ".codex/config.toml"};
  static constexpr std::array<std::string_view, 1> kGemini{".gemini/settings.json"};
  static constexpr std::array<std::string_view, 1> kCursor{".cursor/hooks.json"};
  switch (agent) {
    case Agent::kClaude: return kClaude;
    case Agent::kCodex: return kCodex;
    case Agent::kGemini: return kGemini;
    case Agent::kCursor: return kCursor;
  }
  return {};
}

std::string_view SettingsFileOf(Agent agent) { return FilesOverHooks(agent).front(); }

Result<Wanted> Install(const Installation& installation, const Present& present) {
  json::object root;
  Made made = Made::kEntry;
  if (present.text) {
    TRY_ASSIGN(root, Parse(*present.text));
  } else {
    made = present.directory == Present::Directory::kMissing ? Made::kDirectory : Made::kFile;
    if (installation.agent == Agent::kCursor) root["version"] = 1;
  }
  bool changed = !present.text;
  if (!root.contains("hooks")) made = std::max(made, Made::kHooks);
  json::object* hooks = ObjectIn(root, "hooks");
  if (hooks == nullptr) return Unusable("its \"hooks\" is not an object, so it is left as it is");
  for (const std::string_view name : EventsOf(installation.agent)) {
    if (!hooks->contains(name)) made = std::max(made, Made::kEvent);
    json::array* event = ArrayIn(*hooks, name);
    if (event == nullptr) {
      return Unusable("its \"hooks\" has an event " + Quoted(name) +
                      " that is not a list, so it is left as it is");
    }
    if (!Renew(installation, *event, changed)) {
      json::object handler = MakeHandler(installation, made);
      if (NestingOf(installation.agent) == Nesting::kGroups)
        handler = MakeGroup(std::move(handler));
      event->emplace_back(std::move(handler));
      changed = true;
    }
    made = Made::kEntry;
  }
  if (!changed) return Wanted{present.text, present.directory};
  return Wanted{Written(root, present.text), Present::Directory::kThere};
}

Result<Wanted> Uninstall(Agent agent, const Present& present) {
  const Wanted as_it_is{present.text, present.directory};
  if (!present.text) return as_it_is;
  TRY_ASSIGN(json::object root, Parse(*present.text));
  json::value* value = root.if_contains("hooks");
  json::object* hooks = value != nullptr ? value->if_object() : nullptr;
  if (hooks == nullptr) return as_it_is;
  Removed all;
  std::vector<std::string> emptied;
  for (json::key_value_pair& member : *hooks) {
    json::array* event = member.value().if_array();
    if (event == nullptr) continue;
    Removed removed;
    RemoveFrom(agent, *event, removed);
    all.any = all.any || removed.any;
    all.made = std::max(all.made, removed.made);
    if (removed.any && removed.made >= Made::kEvent && event->empty()) {
      emptied.emplace_back(member.key().data(), member.key().size());
    }
  }
  if (!all.any) return as_it_is;
  for (const std::string& name : emptied) EraseMember(*hooks, name);
  if (all.made >= Made::kHooks && hooks->empty()) EraseMember(root, "hooks");
  if (all.made >= Made::kFile && IsBare(agent, root)) {
    return Wanted{std::nullopt, all.made == Made::kDirectory ? Present::Directory::kMissing
                                                             : Present::Directory::kThere};
  }
  return Wanted{Written(root, present.text), Present::Directory::kThere};
}

}  // namespace cordon::hook
