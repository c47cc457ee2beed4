#include "tools/dialects.h"

#include <array>

namespace cordon::tools {
namespace {

using dialect::DialectMenu;

constinit const DialectMenu kMcpFilesystem(dialect::kMcpFilesystem);

constexpr auto kDialects = std::to_array<const DialectMenu*>({&kMcpFilesystem});

}  // namespace

std::span<const dialect::DialectMenu* const> AllDialects() { return kDialects; }

}  // namespace cordon::tools
