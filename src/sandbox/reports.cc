#include "sandbox/reports.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "base/try.h"
#include "platform/wait_events.h"

namespace cordon::sandbox {

Error LauncherError(std::string detail) {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "launch";
  error.rule = "sandbox";
  error.detail = std::move(detail);
  return error;
}

Error ErrorOf(const Failed& failed) {
  Error error;
  error.op = "launch";
  error.rule = "sandbox";
  error.os_errno = failed.os_errno;
  error.component = failed.what;
  switch (failed.stage) {
    case Failed::Stage::kSetUp:
      error.code = ErrorCode::kUnsupported;
      error.detail = "the line around the command cannot be drawn: " + failed.what;
      break;
    case Failed::Stage::kRequiredLayer:
      error.code = ErrorCode::kSandboxRequired;
      error.detail = "this machine lacks " + failed.what + ", without which nothing may start";
      break;
    case Failed::Stage::kProgram:
      error.code = ErrorCode::kCommandFailed;
      error.detail =
          "the program cannot be started; it must be there, and where the line lets it be read";
      break;
  }
  return error;
}

Result<platform::Received> NextMessage(int socket) {
  TRY_ASSIGN(platform::Received message, platform::ReceiveMessage(socket, kMaxMessageBytes));
  if (message.bytes.empty()) return LauncherError("the launcher ended without a word");
  return message;
}

Result<platform::Received> NextMessageWithin(int socket, std::size_t bytes,
                                             std::chrono::milliseconds most) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + most;
  std::array<platform::Awaited, 1> awaited;
  awaited[0].descriptor = socket;
  while (!awaited[0].happened) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) {
      Error error = LauncherError("the sandbox does not answer");
      error.code = ErrorCode::kTimeout;
      return error;
    }
    platform::AwaitAny(awaited, left);
  }
  TRY_ASSIGN(platform::Received message, platform::ReceiveMessage(socket, bytes));
  if (message.bytes.empty()) return LauncherError("the sandbox has gone");
  return message;
}

Result<Ended> HearOut(int socket, Command::Listener& listener) {
  while (true) {
    TRY_ASSIGN(const platform::Received message, NextMessage(socket));
    TRY_ASSIGN(const Report report, DecodeReport(message.bytes));
    if (const auto* refused = std::get_if<Refused>(&report)) {
      listener.OnRefused(*refused);
    } else if (const auto* more = std::get_if<RefusedMore>(&report)) {
      listener.OnRefusedMore(*more);
    } else if (const auto* hit = std::get_if<LimitHit>(&report)) {
      listener.OnLimit(hit->kind);
    } else if (const auto* ask = std::get_if<Ask>(&report)) {
      listener.OnAsk(*ask);
    } else if (const auto* failed = std::get_if<Failed>(&report)) {
      return ErrorOf(*failed);
    } else if (const auto* ended = std::get_if<Ended>(&report)) {
      return *ended;
    } else {
      return LauncherError("the launcher speaks out of turn");
    }
  }
}

}  // namespace cordon::sandbox
