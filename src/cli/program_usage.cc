#include "cli/program_usage.h"

#include <memory>
#include <utility>

namespace cordon::cli {
namespace {

class ProgramFormatter final : public CLI::Formatter {
 public:
  explicit ProgramFormatter(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string text = CLI::Formatter::make_usage(app, std::move(name));
    text.insert(text.find_last_not_of('\n') + 1, " " + usage_);
    return text;
  }
  const std::string& usage() const { return usage_; }

 private:
  const std::string usage_;
};

}  // namespace

void TakesProgram(CLI::App& command, ProgramAfter whether) {
  constexpr const char* kUsage = "-- PROGRAM [ARGUMENT...]";
  command.formatter(std::make_shared<ProgramFormatter>(
      whether == ProgramAfter::kMust ? kUsage : "[" + std::string(kUsage) + "]"));
}

std::string ProgramUsage(const CLI::App& command) {
  const auto formatter = std::dynamic_pointer_cast<ProgramFormatter>(command.get_formatter());
  return formatter ? formatter->usage() : "";
}

}  // namespace cordon::cli
