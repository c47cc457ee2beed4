// cordon doctor: what this machine can hold commands with.
#include "sandbox/doctor.h"

#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/companion.h"
#include "cli/json_output.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kNameWidth = 18;

std::string Padded(std::string_view text, std::size_t width) {
  std::string padded(text);
  if (padded.size() < width) padded.resize(width, ' ');
  return padded;
}

void PrintText(const sandbox::Diagnosis& diagnosis, const sandbox::LayerSet& layers) {
  for (const sandbox::Finding& finding : diagnosis.layers) {
    std::cout << Padded(sandbox::LayerName(finding.layer), kNameWidth)
              << (finding.works ? "  yes  " : "  no   ") << Printable(finding.detail) << '\n';
    if (!finding.works) std::cout << "                          costs: " << finding.cost << '\n';
  }
  std::cout << "\nWith all of these, commands cannot get at:\n";
  std::string open;
  for (int i = 0; i <= static_cast<int>(sandbox::Threat::kTakeOverMachine); ++i) {
    const auto threat = static_cast<sandbox::Threat>(i);
    if (sandbox::Covers(layers, threat)) {
      std::cout << "  " << sandbox::ThreatName(threat) << '\n';
    } else {
      open += "  " + std::string(sandbox::ThreatName(threat)) + "\n";
    }
  }
  if (!open.empty()) std::cout << "\nNOT held here:\n" << open;
}

void PrintJson(const sandbox::Diagnosis& diagnosis, const sandbox::LayerSet& held_by) {
  json::array layers;
  for (const sandbox::Finding& finding : diagnosis.layers) {
    json::object layer{{"name", sandbox::LayerName(finding.layer)},
                       {"works", finding.works},
                       {"detail", Printable(finding.detail)}};
    if (!finding.works) layer["cost"] = finding.cost;
    layers.push_back(std::move(layer));
  }
  json::object held;
  for (int i = 0; i <= static_cast<int>(sandbox::Threat::kTakeOverMachine); ++i) {
    const auto threat = static_cast<sandbox::Threat>(i);
    held[sandbox::ThreatName(threat)] = sandbox::Covers(held_by, threat);
  }
  std::cout << json::serialize(
                   json::object{{"layers", std::move(layers)}, {"held", std::move(held)}})
            << '\n';
}

Status Examine(const CommonFlags& flags, const std::vector<std::string>& left_out) {
  TRY_ASSIGN(const sandbox::LayerSet without, ParseLeftOut(left_out));
  TRY_ASSIGN(const std::string launcher, FindLauncher());
  TRY_ASSIGN(const sandbox::Diagnosis diagnosis, sandbox::Diagnose(launcher));
  const sandbox::LayerSet layers = diagnosis.working().Without(without);
  if (flags.format() == OutputFormat::kJson) {
    PrintJson(diagnosis, layers);
  } else {
    PrintText(diagnosis, layers);
  }
  return {};
}

}  // namespace

void AddDoctorCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<CommonFlags>();
  CLI::App* command = app.add_subcommand("doctor", "Show what this machine can hold commands with");
  AddJsonFlag(*command, *flags);
  const auto left_out = std::make_shared<std::vector<std::string>>();
  AddWithoutFlag(*command, *left_out, "Judge as if this layer were missing. Repeatable.");
  command->footer("Example:\n  cordon doctor --without landlock");
  command->callback([flags, left_out, &status] {
    const Status examined = Examine(*flags, *left_out);
    status = examined ? ExitStatus::kDone : ReportSetupError(examined.error(), flags->format());
  });
}

}  // namespace cordon::cli
