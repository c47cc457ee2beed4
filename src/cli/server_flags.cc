#include "cli/server_flags.h"

#include <boost/json/array.hpp>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "base/printable.h"
#include "base/sandbox_id.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/serve_flags.h"
#include "platform/host.h"
#include "remote/url_text.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr const char* kGroup = "Server";
constexpr std::size_t kIdLength = 26;

std::optional<std::string> Variable(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

Result<std::string> Absolute(std::string path) {
  if (path.starts_with('/')) return path;
  TRY_ASSIGN(const platform::HostDirectory here, platform::OpenHostDirectory("."));
  return here.real_path + "/" + path;
}

ExitStatus Report(const Error& error, OutputFormat format) {
  const ExitStatus setup = ReportSetupError(error, format);
  return error.op == "server" ? StatusOfRefusal(error) : setup;
}

Error NoSandbox(ErrorCode code, const std::string& text, const std::string& why) {
  Error error;
  error.code = code;
  error.op = "server";
  error.detail = why + " " + Quoted(text) + "; 'cordon sandbox list' shows yours";
  return error;
}

}  // namespace

void AddServerFlags(CLI::App& command, ServerFlags& flags) {
  AddText(command, "--server", flags.server,
          "127.0.0.1:7070 or unix:/path; default: CORDON_SERVER, or the one that runs on --state")
      ->type_name("ADDRESS")
      ->group(kGroup);
  AddText(
      command, "--token-file", flags.token_file,
      "A file with the API token; default: CORDON_TOKEN, CORDON_TOKEN_FILE, or token in --state")
      ->type_name("FILE")
      ->group(kGroup);
  AddText(command, "--state", flags.state, "The server's state directory, if it is not the usual")
      ->type_name("DIR")
      ->group(kGroup);
}

void AddServerJsonFlag(CLI::App& command, ServerFlags& flags) {
  command.add_flag("--json", flags.json, "Print one JSON object instead of text");
}

Result<remote::ApiClient> FindClient(const ServerFlags& flags) {
  remote::ServerHints hints;
  TRY_ASSIGN(hints.state, StateDirectory(flags.state));
  hints.server = flags.server;
  hints.server_source = "--server";
  if (!hints.server && !flags.state) {
    hints.server = Variable("CORDON_SERVER");
    hints.server_source = "CORDON_SERVER";
  }
  std::optional<std::string> file = flags.token_file;
  if (!file) {
    hints.token = Variable("CORDON_TOKEN");
    hints.token_source = "CORDON_TOKEN";
    if (!hints.token) file = Variable("CORDON_TOKEN_FILE");
  }
  if (file) {
    TRY_ASSIGN(hints.token_file, Absolute(*file));
  }
  TRY_ASSIGN(remote::ServerPlace place, remote::FindServer(hints));
  return remote::ApiClient(std::move(place));
}

ExitStatus AskServer(const ServerFlags& flags, const ServerWork& work) {
  const Result<remote::ApiClient> client = FindClient(flags);
  if (!client) return ReportSetupError(client.error(), flags.format());
  const Result<ExitStatus> done = work(*client);
  return done ? *done : Report(done.error(), flags.format());
}

Result<json::array> ListSandboxes(const remote::ApiClient& client, const std::string& query) {
  json::array all;
  std::string after;
  while (true) {
    std::string target = "/v1/sandboxes?";
    target.append(query).append(after);
    TRY_ASSIGN(json::object page, client.Get(target));
    json::value* const found = page.if_contains("sandboxes");
    if (found == nullptr || !found->is_array()) return all;
    for (json::value& one : found->get_array()) all.push_back(std::move(one));
    const std::string next = MemberText(page, "next");
    if (next.empty()) return all;
    after = "&after=" + remote::UrlValue(next);
  }
}

Result<std::string> FindSandboxId(const remote::ApiClient& client, const std::string& text) {
  if (text.size() == kIdLength && SandboxId::Parse(text)) return text;
  std::string found;
  if (!text.empty() && text.size() < kIdLength) {
    TRY_ASSIGN(const json::array all, ListSandboxes(client, "limit=1000"));
    for (const json::value& one : all) {
      const std::string id = one.is_object() ? MemberText(one.get_object(), "id") : "";
      if (!id.starts_with(text)) continue;
      if (!found.empty()) {
        return NoSandbox(ErrorCode::kAmbiguousMatch, text, "several sandboxes begin with");
      }
      found = id;
    }
  }
  if (found.empty()) return NoSandbox(ErrorCode::kNotFound, text, "there is no sandbox");
  return found;
}

std::string MemberText(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::string MemberText(const json::object& object, std::string_view outer, std::string_view name) {
  const json::value* const found = object.if_contains(outer);
  return found != nullptr && found->is_object() ? MemberText(found->get_object(), name) : "";
}

void PrintData(json::value data) {
  std::cout << Serialize({{"success", true}, {"data", std::move(data)}}) << '\n';
}

}  // namespace cordon::cli
