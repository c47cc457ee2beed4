#include "preview/preview_host.h"

#include <charconv>
#include <string>

#include "net/ascii.h"

namespace cordon::preview {
namespace {

constexpr std::string_view kPrefix = "preview-";

// Unset unless it is written as we would write it.
std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, port);
  if (failed != std::errc() || stopped != end || port == 0 || text.front() == '0') return {};
  return port;
}

}  // namespace

std::optional<PreviewHost> ParsePreviewHost(std::string_view untrusted, const UrlTerms& terms) {
  const std::size_t colon = untrusted.find(':');
  if (colon != std::string_view::npos) {
    if (!ParsePort(untrusted.substr(colon + 1))) return std::nullopt;
    untrusted = untrusted.substr(0, colon);
  }
  const std::string host = net::LowerCase(untrusted);
  const std::size_t dot = host.find('.');
  if (dot == std::string::npos || std::string_view(host).substr(dot + 1) != terms.domain) {
    return std::nullopt;
  }
  std::string_view label = std::string_view(host).substr(0, dot);
  if (!label.starts_with(kPrefix)) return std::nullopt;
  label.remove_prefix(kPrefix.size());
  auto id = SandboxId::Parse(label.substr(0, SandboxId::kLength));
  if (!id) return std::nullopt;
  label.remove_prefix(SandboxId::kLength);
  if (label.empty()) return PreviewHost{std::move(*id), terms.usual_port};
  if (label.front() != '-' || label.size() == 1) return std::nullopt;
  const auto port = ParsePort(label.substr(1));
  if (!port) return std::nullopt;
  return PreviewHost{std::move(*id), *port};
}

bool IsLocalHost(std::string_view untrusted, std::uint16_t port) {
  const std::size_t colon = untrusted.find(':');
  if (colon == std::string_view::npos) return false;
  if (ParsePort(untrusted.substr(colon + 1)) != port) return false;
  const std::string_view name = untrusted.substr(0, colon);
  return name == "127.0.0.1" || net::SameIgnoringCase(name, "localhost");
}

}  // namespace cordon::preview
