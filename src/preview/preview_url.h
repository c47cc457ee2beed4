// Where the preview of a sandbox is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sandbox_id.h"

namespace cordon::preview {

// What a server inside listens on when nobody says otherwise: Vite's.
inline constexpr std::uint16_t kUsualPort = 5173;

enum class Mode {
  kDevelopment,  // http://localhost:PORT, for who sits at this machine
  kProduction,   // https://preview-{id}.{domain}
};

// What URLs are made of, the same for all sandboxes of a server.
struct UrlTerms {
  Mode mode = Mode::kDevelopment;
  std::string domain = "localhost";       // below which each preview has a name
  std::uint16_t usual_port = kUsualPort;  // inside
  std::uint16_t listening = 0;            // development: where names below localhost are served
};

// Whether names can stand below it: lower-case labels of letters, digits and inner hyphens, short
// enough for the longest name.
bool IsPreviewDomain(std::string_view text);

// "preview-{id}", and "preview-{id}-{port}" for another port than the usual one.
std::string PreviewLabel(const SandboxId& id, std::uint16_t port, const UrlTerms& terms);

// Of the usual port. `reserved`: the port on this machine that is the sandbox's own (ports.h);
// without meaning in production.
std::string PreviewUrl(const SandboxId& id, std::uint16_t reserved, const UrlTerms& terms);

// Of any port inside, by name: in development below localhost, which browsers look for on this
// machine.
std::string PreviewUrlOfPort(const SandboxId& id, std::uint16_t port, const UrlTerms& terms);

}  // namespace cordon::preview
