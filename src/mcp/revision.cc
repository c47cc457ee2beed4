#include "mcp/revision.h"

#include <array>

namespace cordon::mcp {
namespace {

constexpr std::array kAll = {Revision::k2024_11_05, Revision::k2025_03_26, Revision::k2025_06_18,
                             Revision::k2025_11_25, Revision::k2026_07_28};

}  // namespace

std::string_view RevisionName(Revision revision) {
  switch (revision) {
    case Revision::k2024_11_05: return "2024-11-05";
    case Revision::k2025_03_26: return "2025-03-26";
    case Revision::k2025_06_18: return "2025-06-18";
    case Revision::k2025_11_25: return "2025-11-25";
    case Revision::k2026_07_28: return "2026-07-28";
  }
  return "";
}

std::optional<Revision> ParseRevision(std::string_view name) {
  for (const Revision revision : kAll) {
    if (RevisionName(revision) == name) return revision;
  }
  return std::nullopt;
}

std::span<const Revision> RevisionsOf(Era era) {
  const std::span<const Revision> all = kAll;
  return era == Era::kHandshake ? all.first(4) : all.last(1);
}

}  // namespace cordon::mcp
