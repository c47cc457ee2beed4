#include "preview/preview_url.h"

namespace cordon::preview {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;
constexpr std::string_view kPrefix = "preview-";
constexpr std::size_t kLongestOurs = kPrefix.size() + SandboxId::kLength + 6;  // "-65535"

bool IsLabel(std::string_view label) {
  if (label.empty() || label.size() > kLongestLabel) return false;
  if (label.front() == '-' || label.back() == '-') return false;
  return label.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

}  // namespace

bool IsPreviewDomain(std::string_view text) {
  if (text.size() + 1 + kLongestOurs > kLongestName) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsLabel(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::string PreviewLabel(const SandboxId& id, std::uint16_t port, const UrlTerms& terms) {
  std::string label(kPrefix);
  label += id.text();
  if (port != terms.usual_port) label.append("-").append(std::to_string(port));
  return label;
}

std::string PreviewUrl(const SandboxId& id, std::uint16_t reserved, const UrlTerms& terms) {
  if (terms.mode == Mode::kProduction) return PreviewUrlOfPort(id, terms.usual_port, terms);
  return "http://localhost:" + std::to_string(reserved);
}

std::string PreviewUrlOfPort(const SandboxId& id, std::uint16_t port, const UrlTerms& terms) {
  const bool production = terms.mode == Mode::kProduction;
  std::string url = production ? "https://" : "http://";
  url += PreviewLabel(id, port, terms);
  url.append(".").append(terms.domain);
  if (!production) url.append(":").append(std::to_string(terms.listening));
  return url;
}

}  // namespace cordon::preview
