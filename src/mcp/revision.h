// The dated revisions of the protocol, and what each of them has.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace cordon::mcp {

enum class Revision { k2024_11_05, k2025_03_26, k2025_06_18, k2025_11_25, k2026_07_28 };

// The two ways of speaking. The specification calls them legacy and modern.
enum class Era {
  kHandshake,  // `initialize` first; the server may ask on its own
  kStateless,  // every request tells all there is to know
};

inline constexpr Revision kNewestHandshake = Revision::k2025_11_25;
inline constexpr Revision kNewest = Revision::k2026_07_28;

constexpr Era EraOf(Revision revision) {
  return revision >= Revision::k2026_07_28 ? Era::kStateless : Era::kHandshake;
}

std::string_view RevisionName(Revision revision);  // "2025-11-25"
std::optional<Revision> ParseRevision(std::string_view name);
std::span<const Revision> RevisionsOf(Era era);  // oldest first

}  // namespace cordon::mcp
