#include "cli/report.h"

#include <iostream>
#include <string>

#include "base/printable.h"
#include "cli/json_output.h"

namespace cordon::cli {

ExitStatus StatusOfSetup(const Error& error) {
  return error.code == ErrorCode::kUnsupported ? ExitStatus::kCannotEnforce : ExitStatus::kUsage;
}

ExitStatus StatusOfRefusal(const Error& error) {
  return error.code == ErrorCode::kUnsupported ? ExitStatus::kCannotEnforce : ExitStatus::kRefused;
}

ExitStatus ReportSetupError(const Error& error, OutputFormat format) {
  if (format == OutputFormat::kJson) {
    boost::json::object result;
    result["success"] = false;
    result["error"] = ErrorObject(error);
    std::cout << Serialize(result) << '\n';
  } else {
    const std::string_view said = error.detail;
    std::cerr << "cordon: "
              << Printable(said.empty() ? ErrorCodeName(error.code) : said, kMaxSentenceBytes);
    // A place the error names and its sentence does not.
    if (!error.component.empty() && said.find(error.component) == std::string_view::npos) {
      std::cerr << ": " << Quoted(error.component);
    }
    if (error.code == ErrorCode::kCommandBlocked) {
      std::cerr << " (rule " << Printable(error.rule) << ')';
    }
    std::cerr << '\n';
  }
  return StatusOfSetup(error);
}

Error UsageError(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "arguments";
  error.detail = std::move(detail);
  return error;
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    std::cerr << "cordon: warning: " << Printable(warning, kMaxSentenceBytes) << '\n';
  }
}

}  // namespace cordon::cli
