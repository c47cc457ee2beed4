#include "tools/dialects.h"

#include <array>

namespace cordon::tools {
namespace {

using dialect::DialectMenu;

constinit const DialectMenu kMcpFilesystem(dialect::kMcpFilesystem);
constinit const DialectMenu kGemini(dialect::kGemini);
constinit const DialectMenu kLighthouse(dialect::kLighthouse);
constinit const DialectMenu kLace(dialect::kLace);
constinit const DialectMenu kClaude(dialect::kClaude);
constinit const DialectMenu kOpenHands(dialect::kOpenHands);

constexpr auto kDialects = std::to_array<const DialectMenu*>(
    {&kMcpFilesystem, &kGemini, &kLighthouse, &kLace, &kClaude, &kOpenHands});

}  // namespace

std::span<const dialect::DialectMenu* const> AllDialects() { return kDialects; }

}  // namespace cordon::tools
