// cordon sandbox exec: a program in a sandbox, with its output as it is made.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <iostream>
#include <memory>
#include <utility>

#include "base/base64.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/program_usage.h"
#include "cli/sandbox_commands.h"
#include "cli/sandbox_program.h"
#include "remote/event_stream.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kPatience{60};
constexpr std::uint64_t kLongest = 3600;  // the API's
// In base64 it stays below what the API takes as JSON.
constexpr std::size_t kMostInput = std::size_t{700} << 10;
constexpr std::size_t kLongestEvent = std::size_t{4} << 20;
constexpr auto kTimedOut = static_cast<ExitStatus>(124);  // as timeout(1) has it

struct ExecFlags {
  ProgramFlags program;
  std::optional<std::string> timeout;
  bool input = false;
  bool detach = false;
};

Error Failure(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "exec";
  error.detail = std::move(detail);
  return error;
}

Result<std::string> ReadInput() {
  std::string input(kMostInput + 1, '\0');
  std::cin.read(input.data(), static_cast<std::streamsize>(input.size()));
  input.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (input.size() <= kMostInput) return input;
  return Failure(
      ErrorCode::kTooLarge,
      "standard input has more than 700 KiB; put it into a file with 'cordon sandbox cp' "
      "and have the program read that");
}

Result<json::object> RequestOf(const ExecFlags& flags, const AfterDashes& words) {
  TRY_ASSIGN(json::object request, ProgramObject(flags.program, words));
  std::uint64_t seconds = kLongest;
  if (flags.timeout) {
    const char* const end = flags.timeout->data() + flags.timeout->size();
    const auto [stopped, failed] = std::from_chars(flags.timeout->data(), end, seconds);
    if (failed != std::errc() || stopped != end || seconds == 0 || seconds > kLongest) {
      return UsageError("--timeout: " + Quoted(*flags.timeout) +
                        " is no number of seconds from 1 to 3600");
    }
  }
  if (flags.detach) {
    if (flags.input) return UsageError("--stdin: a program that is detached has no input");
    if (flags.timeout) request["timeoutSeconds"] = seconds;
    request["detached"] = true;
    return request;
  }
  request["timeoutSeconds"] = seconds;
  if (flags.input) {
    TRY_ASSIGN(const std::string input, ReadInput());
    request["stdin"] = Base64Encode(input);
    request["stdinEncoding"] = "base64";
  }
  return request;
}

Result<json::object> DataOf(const remote::EventStream::Event& event) {
  json::error_code failed;
  json::value value = json::parse(event.data, failed);
  if (failed || !value.is_object()) {
    return Failure(ErrorCode::kIoError, "the server sent an event that is none");
  }
  return std::move(value.as_object());
}

Status Pass(const json::object& data, std::ostream& stream) {
  std::string bytes = MemberText(data, "data");
  if (MemberText(data, "dataEncoding") == "base64") {
    auto decoded = Base64Decode(bytes);
    if (!decoded) return Failure(ErrorCode::kIoError, "the server sent output that is no base64");
    bytes = std::move(*decoded);
  }
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (stream) return {};
  return Failure(ErrorCode::kIoError, "the output could not be written");
}

ExitStatus Ending(const json::object& end) {
  const json::value* const refusals = end.if_contains("refusals");
  if (refusals != nullptr && refusals->is_array()) {
    for (const json::value& one : refusals->get_array()) {
      if (!one.is_string()) continue;
      std::cerr << "cordon: refused: " << Printable(one.get_string()) << '\n';
    }
  }
  const std::string why = MemberText(end, "ended");
  if (why == "timeout") {
    std::cerr << "cordon: its time was over; --timeout gives it more\n";
    return kTimedOut;
  }
  if (why == "sandbox-gone") {
    std::cerr << "cordon: the sandbox has ended; 'cordon sandbox list --all' says why\n";
    return kNotRun;
  }
  return ProgramStatus(end);
}

// Unset: the program goes on.
Result<std::optional<ExitStatus>> Obey(const remote::EventStream::Event& event) {
  using Going = std::optional<ExitStatus>;
  TRY_ASSIGN(const json::object data, DataOf(event));
  if (event.name == "stdout") {
    TRY(Pass(data, std::cout));
  } else if (event.name == "stderr") {
    TRY(Pass(data, std::cerr));
  } else if (event.name == "end") {
    return Going(Ending(data));
  } else if (event.name == "error") {
    return Failure(ErrorCode::kIoError,
                   "the program was lost: " + Printable(MemberText(data, "code")));
  }
  return Going();
}

Result<ExitStatus> Follow(net::HttpIncoming& incoming) {
  remote::EventStream events;
  while (true) {
    const auto piece = incoming.Next(kPatience);
    if (!piece && piece.error().code == ErrorCode::kTimeout) continue;  // it just says nothing
    if (!piece) return piece.error();
    if (!*piece) {
      return Failure(ErrorCode::kIoError,
                     "the server has gone before the program ended; it was ended with that");
    }
    events.Add(**piece);
    while (const auto event = events.Next()) {
      TRY_ASSIGN(const auto ended, Obey(*event));
      if (ended) return *ended;
    }
    if (events.pending() > kLongestEvent) {
      return Failure(ErrorCode::kTooLarge, "the server sends an event without end");
    }
  }
}

Result<ExitStatus> Execute(const ExecFlags& flags, const AfterDashes& words,
                           const remote::ApiClient& client) {
  TRY_ASSIGN(const json::object request, RequestOf(flags, words));
  TRY_ASSIGN(const std::string id, FindSandboxId(client, flags.program.id.value_or("")));
  const std::string target = "/v1/sandboxes/" + id + "/exec";
  if (flags.detach) {
    TRY(client.Post(target, request));
    return ExitStatus::kDone;
  }
  TRY_ASSIGN(const auto incoming, client.PostForEvents(target, request));
  return Follow(*incoming);
}

}  // namespace

void AddSandboxExec(CLI::App& sandbox, ExitStatus& status, const AfterDashes& after) {
  const auto flags = std::make_shared<ExecFlags>();
  CLI::App& command = *sandbox.add_subcommand("exec", "Run a program in a sandbox.");
  command.add_flag("-i,--stdin", flags->input,
                   "Give it standard input, read to its end first; 700 KiB at most");
  command.add_flag("-d,--detach", flags->detach, "Leave it running; its output is not kept");
  AddText(command, "--timeout", flags->timeout, "Seconds after which it is ended; default 3600")
      ->type_name("SECONDS");
  AddProgramFlags(command, flags->program);
  TakesProgram(command, ProgramAfter::kMust);
  command.footer(
      "The program and its arguments stand after --. Its status is passed on: 128 and the number\n"
      "of a signal, 124 when its time was over, 125 when it could not be run at all.\n"
      "Examples:\n"
      "  cordon sandbox exec mfrggzdfmztwq2lk -- python3 -m pytest -q\n"
      "  cordon sandbox exec --dir project --env CI=1 mfrggzdfmztwq2lk -- sh -c 'make | tail'\n"
      "  cordon sandbox exec -i mfrggzdfmztwq2lk -- psql < query.sql");
  command.callback([flags, &after, &status] {
    status = AskForProgram(flags->program.server,
                           [&](const remote::ApiClient& client) -> Result<ExitStatus> {
                             if (after.empty()) {
                               return UsageError("name the program to run, after --");
                             }
                             return Execute(*flags, after, client);
                           });
  });
}

}  // namespace cordon::cli
