#include "cli/run_report.h"

#include "base/printable.h"

namespace cordon::cli {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr int kSignalBase = 128;

}  // namespace

std::string FooterOf(const guard::CommandOutcome& outcome) {
  std::string text;
  for (const sandbox::LimitKind kind : outcome.limits) {
    text += "cordon: ended by the limit on " + std::string(sandbox::LimitName(kind)) + "\n";
  }
  std::size_t shown = 0;
  for (const sandbox::Refused& refused : outcome.refused) {
    if (++shown > kMostLines) break;
    text += "cordon: refused: " + std::string(OperationName(refused.operation)) + " of " +
            Quoted(refused.path) + " by " + Printable(refused.program) + ", rule " +
            Printable(refused.rule) + "\n";
  }
  for (const guard::Connection& connection : outcome.connections) {
    if (++shown > kMostLines) break;
    text += "cordon: refused: connection to " + Quoted(connection.host) + " port " +
            std::to_string(connection.port) + ", rule " + Printable(connection.rule) + "\n";
  }
  const std::size_t all = outcome.refused.size() + outcome.connections.size();
  const std::uint64_t more = (all > kMostLines ? all - kMostLines : 0) + outcome.more.untold;
  if (more != 0) text += "cordon: " + std::to_string(more) + " more refusals; see 'cordon audit'\n";
  return text;
}

int ExitCodeOf(const sandbox::Ended& ended) {
  return ended.signal != 0 ? kSignalBase + ended.signal : ended.status;
}

}  // namespace cordon::cli
