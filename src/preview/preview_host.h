// Which preview a Host field names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/sandbox_id.h"
#include "preview/preview_url.h"

namespace cordon::preview {

struct PreviewHost {
  SandboxId id;
  std::uint16_t port = 0;  // inside
};

// "preview-{id}.{domain}" or "preview-{id}-{port}.{domain}", in any case of letters, with or
// without the port at which we listen. Unset for anything else: no other name below the domain, no
// user, no dot at the end, no port with a zero in front.
std::optional<PreviewHost> ParsePreviewHost(std::string_view untrusted, const UrlTerms& terms);

// Whether a Host in development names the machine itself: "localhost:PORT" or "127.0.0.1:PORT",
// with just this port. Whatever else resolves to it is somebody's trick.
bool IsLocalHost(std::string_view untrusted, std::uint16_t port);

}  // namespace cordon::preview
