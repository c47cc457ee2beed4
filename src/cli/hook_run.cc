// One event of an agent: read, judged, answered.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <utility>

#include "api/state_place.h"
#include "audit/log.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/hook_flags.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "hook/added_rules.h"
#include "hook/event.h"
#include "hook/judge.h"
#include "hook/settings.h"
#include "hook/verdict.h"
#include "shell/explain.h"

namespace cordon::cli {
namespace {

using confine::AmbientAuthority;

constexpr int kBlocked = 2;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value != '/' ? std::string() : std::string(value);
}

// One more byte than may be there tells that it is too much.
std::string ReadInput() {
  std::string input;
  constexpr std::size_t kStep = std::size_t{64} << 10;
  while (std::cin && input.size() <= hook::kMaxInputBytes) {
    const std::size_t had = input.size();
    input.resize(had + kStep);
    std::cin.read(input.data() + had, static_cast<std::streamsize>(kStep));
    input.resize(had + static_cast<std::size_t>(std::cin.gcount()));
  }
  return input;
}

// The log, opened when there is something to record: most events leave nothing.
class LateLog : public audit::Recorder {
 public:
  explicit LateLog(audit::LogPlace place) : place_(std::move(place)) {}

  Result<std::uint64_t> Append(const audit::Record& record, audit::Durability durability) override {
    if (!log_) {
      TRY_ASSIGN(log_, audit::Log::Open(place_, {}, AmbientAuthority::OfThisProcess()));
    }
    return log_->Append(record, durability);
  }

 private:
  audit::LogPlace place_;
  std::shared_ptr<audit::Log> log_;
};

// The agent's project, which stays, before its working directory, which a command changes.
std::vector<std::string> RootsOf(const hook::Event& event) {
  if (!event.workspace_roots.empty()) return event.workspace_roots;
  std::string project;
  if (event.agent == hook::Agent::kClaude) project = Variable("CLAUDE_PROJECT_DIR");
  if (event.agent == hook::Agent::kGemini) project = Variable("GEMINI_PROJECT_DIR");
  return {project.empty() ? event.cwd : project};
}

// Where the files of agents are looked for; what is relative is so to where this runs.
std::vector<std::string> PlacesOfSettings(const hook::Event& event,
                                          const policy::Settings& settings) {
  std::vector<std::string> places = settings.roots;
  for (std::string& place : places) {
    if (place.starts_with('/')) continue;
    // One that cannot be opened is no root either, and that is told when they are.
    if (const auto root =
            confine::Root::OpenAmbient(place, {}, AmbientAuthority::OfThisProcess())) {
      place = root->real_path();
    }
  }
  places.insert(places.end(), event.workspace_roots.begin(), event.workspace_roots.end());
  places.push_back(event.cwd);
  for (const char* name : {"HOME", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"}) {
    places.push_back(Variable(name));
  }
  return places;
}

// What would switch a hook off is not the agent's to change: by its name wherever it is, and
// in these places also under the name that a link leads to.
void ProtectHookSettings(const hook::Event& event, policy::Settings& settings) {
  using hook::Agent;
  hook::ProtectAgentSettings(settings);
  const auto protect = [&settings](std::string path) {
    settings.own.push_back({std::move(path), policy::Protected::From::kChanges});
  };
  for (const std::string& place : PlacesOfSettings(event, settings)) {
    if (!place.starts_with('/')) continue;
    for (const Agent agent : {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor}) {
      for (const std::string_view file : hook::FilesOverHooks(agent)) {
        protect(place + "/" + std::string(file));
      }
    }
  }
  // Two agents can be told to keep them elsewhere.
  for (const auto& [variable, agent] :
       {std::pair{"CLAUDE_CONFIG_DIR", Agent::kClaude}, {"CODEX_HOME", Agent::kCodex}}) {
    const std::string place = Variable(variable);
    if (place.empty()) continue;
    for (const std::string_view file : hook::FilesOverHooks(agent)) {
      protect(place + std::string(file.substr(file.rfind('/'))));
    }
  }
}

Result<policy::Settings> SettingsFor(const HookFlags& flags, const hook::Event& event) {
  TRY_ASSIGN(policy::Settings settings, LoadSettings(flags.common));
  if (settings.roots.empty()) {
    CommonFlags derived = flags.common;
    derived.roots = RootsOf(event);
    for (const std::string& root : derived.roots) {
      if (root.find_first_not_of("/.") == std::string::npos) {
        return UsageError("the agent works in \"/\", which is no workspace; give the hook --root");
      }
    }
    TRY_ASSIGN(settings, LoadSettings(derived));
  }
  ProtectHookSettings(event, settings);
  return settings;
}

Result<hook::Verdict> Judged(const HookFlags& flags, const hook::Event& event) {
  if (event.tool.empty()) return hook::Verdict();
  TRY_ASSIGN(policy::Settings settings, SettingsFor(flags, event));
  TRY_ASSIGN(const api::StatePlace place, api::FindStatePlace(flags.audit_log));
  // With its head and its older files, whose names begin like its own.
  settings.own.push_back({place.log.log_file, policy::Protected::From::kEverything,
                          policy::Protected::Names::kBeginningWith});
  TRY_ASSIGN(const guard::Boundary boundary, OpenBoundary(settings));
  TRY_ASSIGN(const guard::Boundary in_git, OpenBoundary(hook::SettingsInGit(settings)));
  hook::Judge judge({boundary, in_git, std::make_shared<LateLog>(place.log), shell::Explain,
                     Variable("HOME"), flags.strict ? hook::Unknowns::kDeny : hook::Unknowns::kAsk},
                    event);
  return judge.Decide();
}

hook::Verdict Failed(const Error& error) {
  const std::string_view said = error.detail;
  return {hook::Answer::kDeny,
          "Cordon could not judge this call, so it is refused: " +
              Printable(said.empty() ? ErrorCodeName(error.code) : said, kMaxSentenceBytes) +
              ". This is not about the call itself; tell the user."};
}

hook::Reply Answered(const HookFlags& flags, hook::Agent agent) {
  const Result<hook::Event> event = hook::ParseEvent(agent, ReadInput());
  if (!event) return hook::ReplyFor(agent, Failed(event.error()));
  const Result<hook::Verdict> verdict = Judged(flags, *event);
  return hook::ReplyFor(agent, verdict ? *verdict : Failed(verdict.error()));
}

}  // namespace

int RunHook(const HookFlags& flags) {
  const Result<hook::Agent> agent = ParseAgentFlag(flags.agent);
  if (!agent) {
    ReportSetupError(agent.error(), OutputFormat::kText);
    return kBlocked;
  }
  try {
    const hook::Reply reply = Answered(flags, *agent);
    std::cerr << reply.err << std::flush;
    std::cout << reply.out << std::flush;
    return std::cout ? reply.status : kBlocked;
  } catch (const std::exception& failure) {  // out of memory and the like: never a yes
    std::cerr << "Cordon failed, so this call is refused: " << Printable(failure.what()) << '\n';
    return kBlocked;
  }
}

}  // namespace cordon::cli
