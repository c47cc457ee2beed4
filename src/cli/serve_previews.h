// How cordon serve is told about previews.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "preview/previews.h"

namespace cordon::cli {

struct ServePreviewFlags {
  std::optional<std::string> domain, listen, certificate, key, ports, usual_port, host;
  std::vector<std::string> dashboards;
  bool none = false, anywhere = false;
};

// `flags` must outlive the parse.
void AddPreviewFlags(CLI::App& command, ServePreviewFlags& flags);
// Unset: none are to be shown. Errors: kInvalidArguments.
Result<std::optional<preview::PreviewTerms>> ParsePreviewFlags(const ServePreviewFlags& flags);

}  // namespace cordon::cli
