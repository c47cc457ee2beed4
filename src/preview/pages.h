// What a visitor sees when there is no preview to show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox_id.h"
#include "preview/preview_url.h"
#include "store/records.h"

namespace cordon::preview {

// Whole pages without scripts and without anything from elsewhere; whatever they repeat is escaped.
struct Page {
  std::uint16_t status = 404;
  std::string html;
  std::string text;                           // the same in a line, for who does not ask for HTML
  std::optional<unsigned> reload_after = {};  // seconds, after which the page looks again
};

// One page for a preview that there is not and for one that is not this visitor's: nobody learns
// which.
Page UnknownPage();
// It is being made; looks again by itself.
Page StartingPage();
// Its owner has paused it.
Page PausedPage();
// Nothing listens at `port`; `listening` is what does. Looks again by itself.
Page ClosedPortPage(const SandboxId& id, std::uint16_t port,
                    const std::vector<std::uint16_t>& listening, const UrlTerms& terms);
// It has ended, and why.
Page EndedPage(const store::Sandbox& sandbox);
// Something is wrong with a request, or with what the server inside answers.
Page PlainPage(std::uint16_t status, std::string_view why);

std::string_view ReasonPhrase(std::uint16_t status);

}  // namespace cordon::preview
