#include "audit/record.h"

#include <array>
#include <utility>

namespace cordon::audit {
namespace {

constexpr std::array<std::pair<Event, std::string_view>, 23> kEvents{{
    {Event::kFileRead, "file.read"},
    {Event::kFileWrite, "file.write"},
    {Event::kFileDelete, "file.delete"},
    {Event::kFileRename, "file.rename"},
    {Event::kFileList, "file.list"},
    {Event::kFileStat, "file.stat"},
    {Event::kDirectoryCreate, "directory.create"},
    {Event::kLinkCreate, "link.create"},
    {Event::kCommandExec, "command.exec"},
    {Event::kNetworkConnect, "network.connect"},
    {Event::kConsentAsked, "consent.asked"},
    {Event::kConsentDecided, "consent.decided"},
    {Event::kSandboxViolation, "sandbox.violation"},
    {Event::kSandboxCreated, "sandbox.created"},
    {Event::kSandboxEnded, "sandbox.ended"},
    {Event::kSandboxDisabled, "sandbox.disabled"},
    {Event::kPreviewVisibility, "preview.visibility"},
    {Event::kPreviewLink, "preview.link"},
    {Event::kSessionStarted, "session.started"},
    {Event::kSessionEnded, "session.ended"},
    {Event::kLogOpened, "log.opened"},
    {Event::kLogRotated, "log.rotated"},
    {Event::kLogGap, "log.gap"},
}};

}  // namespace

std::string_view EventName(Event event) {
  for (const auto& [known, name] : kEvents) {
    if (known == event) return name;
  }
  return "";
}

std::optional<Event> ParseEvent(std::string_view name) {
  for (const auto& [event, known] : kEvents) {
    if (known == name) return event;
  }
  return std::nullopt;
}

std::string_view DecisionName(Decision decision) {
  switch (decision) {
    case Decision::kNone: return "";
    case Decision::kAllowed: return "allowed";
    case Decision::kAsked: return "asked";
    case Decision::kDenied: return "denied";
  }
  return "";
}

std::string_view TierName(Tier tier) {
  switch (tier) {
    case Tier::kNone: return "";
    case Tier::kPolicy: return "policy";
    case Tier::kConfine: return "confine";
    case Tier::kKernel: return "kernel";
    case Tier::kPerson: return "person";
  }
  return "";
}

}  // namespace cordon::audit
