// The flags that every subcommand with a boundary shares.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/load_settings.h"
#include "cli/report.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "guard/boundary.h"
#include "policy/settings.h"

namespace cordon::cli {

struct CommonFlags {
  std::vector<std::string> roots;
  std::vector<std::string> read_only_roots;
  std::vector<std::string> deny;
  std::optional<std::string> profile;
  std::optional<std::string> config_file;
  bool json = false;

  OutputFormat format() const { return json ? OutputFormat::kJson : OutputFormat::kText; }
};

// --root, --allow-read, --deny, --profile and --config. `flags` must outlive the parse.
void AddBoundaryFlags(CLI::App& command, CommonFlags& flags);
void AddJsonFlag(CLI::App& command, CommonFlags& flags);
void AddCommonFlags(CLI::App& command, CommonFlags& flags);  // all of them

// An option with exactly one value, which is taken as it stands: CLI11 reads
// "[a,b]", "{}" and "%%" in values of its container options as syntax.
CLI::Option* AddText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& help);
// The same, repeatable.
CLI::Option* AddList(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                     const std::string& value_name, const std::string& help);

// Errors: kInvalidArguments, naming the profiles there are.
Result<policy::Flags> ParseFlags(const CommonFlags& flags);
// Errors: kInvalidArguments, naming the operations there are.
Result<Operation> ParseOperationFlag(const std::string& text);

// Flags, environment and files; which files, if one asks.
Result<policy::Settings> LoadSettings(const CommonFlags& flags,
                                      api::SettingsFiles* files = nullptr);
// The same, opened.
Result<guard::Boundary> OpenBoundary(const policy::Settings& settings);

}  // namespace cordon::cli
