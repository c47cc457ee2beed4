#include "cli/serve_token.h"

#include <boost/json/serialize.hpp>
#include <charconv>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/serve_flags.h"
#include "serve/accounts.h"
#include "serve/object_json.h"
#include "serve/service.h"

namespace cordon::cli {
namespace {

struct TokenFlags {
  std::optional<std::string> state, user, label, id, expires;
  std::vector<std::string> scopes;
};

Result<std::shared_ptr<store::Store>> OpenStore(const TokenFlags& flags) {
  TRY_ASSIGN(const std::string state, StateDirectory(flags.state));
  return OpenServeStore(state);
}

Status Create(const TokenFlags& flags) {
  TRY_ASSIGN(const auto store, OpenStore(flags));
  const store::Time now = serve::SystemNow();
  TRY_ASSIGN(const store::User user, serve::EnsureUser(*store, flags.user.value_or("owner"), now));
  serve::TokenTerms terms{user.id, flags.label.value_or(""), flags.scopes, {}};
  if (terms.scopes.empty()) terms.scopes = {"sandboxes:read", "sandboxes:write"};
  if (flags.expires) {
    std::uint32_t seconds = 0;
    const char* const end = flags.expires->data() + flags.expires->size();
    const auto parsed = std::from_chars(flags.expires->data(), end, seconds);
    if (parsed.ec != std::errc() || parsed.ptr != end || seconds == 0) {
      return UsageError("--expires: " + Quoted(*flags.expires) + " is no number of seconds");
    }
    terms.expires = now + std::int64_t{seconds} * 1000;
  }
  TRY_ASSIGN(const serve::NewToken made, serve::CreateToken(*store, terms, now));
  std::cerr << "cordon: token " << made.record.id << " of user " << user.id << '\n';
  std::cout << made.secret << '\n';
  return {};
}

Status List(const TokenFlags& flags) {
  TRY_ASSIGN(const auto store, OpenStore(flags));
  TRY_ASSIGN(const auto users, store->ListUsers());
  for (const store::User& user : users) {
    if (flags.user && *flags.user != user.name) continue;
    TRY_ASSIGN(const auto tokens, store->ListTokens(user.id));
    for (const store::Token& token : tokens) {
      boost::json::object line = serve::TokenObject(token);
      line["user"] = user.name;
      std::cout << Serialize(line) << '\n';
    }
  }
  return {};
}

Status Revoke(const TokenFlags& flags) {
  TRY_ASSIGN(const auto store, OpenStore(flags));
  TRY_ASSIGN(const auto users, store->ListUsers());
  for (const store::User& user : users) {
    Status revoked = store->RevokeToken(user.id, flags.id.value_or(""), serve::SystemNow());
    if (revoked) return {};
    if (revoked.error().code != ErrorCode::kNotFound) return revoked;
  }
  return UsageError("there is no token " + Quoted(flags.id.value_or("")) +
                    "; 'cordon serve token list' shows those there are");
}

using Work = Status (*)(const TokenFlags& flags);

CLI::App& AddOne(CLI::App& parent, const char* name, const char* help, Work work,
                 const char* example, const std::shared_ptr<TokenFlags>& flags,
                 ExitStatus& status) {
  CLI::App& command = *parent.add_subcommand(name, help);
  AddStateFlag(command, flags->state);
  command.footer(std::string("Example:\n  ") + example);
  command.callback([flags, work, &status] {
    const Status done = work(*flags);
    status = done ? ExitStatus::kDone : ReportSetupError(done.error(), OutputFormat::kText);
  });
  return command;
}

}  // namespace

Result<std::shared_ptr<store::Store>> OpenServeStore(const std::string& state) {
  TRY_ASSIGN(std::unique_ptr<store::Store> store, store::Store::Open(state + "/store.db"));
  return std::shared_ptr<store::Store>(std::move(store));
}

void AddServeTokenCommand(CLI::App& serve, ExitStatus& status) {
  CLI::App& token = *serve.add_subcommand("token", "Make, list and revoke API tokens.");
  token.require_subcommand(1);
  token.footer("Example:\n  cordon serve token create --user ci --scope sandboxes:read");
  const auto flags = std::make_shared<TokenFlags>();
  CLI::App& create =
      AddOne(token, "create", "Make a token; prints its secret, this once.", Create,
             "cordon serve token create --user ci --scope sandboxes:read", flags, status);
  AddText(create, "--user", flags->user, "Whose it is, made if there is none; default owner")
      ->type_name("NAME");
  AddText(create, "--label", flags->label, "What it is for")->type_name("TEXT");
  AddText(create, "--expires", flags->expires, "Seconds it is good for; default for ever")
      ->type_name("SECONDS");
  create
      .add_option_function<std::string>(
          "--scope", [flags](const std::string& scope) { flags->scopes.push_back(scope); },
          "sandboxes:read, sandboxes:write, approvals, audit or admin. Repeatable; default the "
          "first two.")
      ->trigger_on_parse()
      ->allow_extra_args(false)
      ->type_name("SCOPE");
  CLI::App& list =
      AddOne(token, "list", "Print the tokens, one JSON a line, without their secrets.", List,
             "cordon serve token list --user ci", flags, status);
  AddText(list, "--user", flags->user, "Only those of this user")->type_name("NAME");
  CLI::App& revoke = AddOne(token, "revoke", "Revoke a token.", Revoke,
                            "cordon serve token revoke tok_mfrggzdfmztwq2lk", flags, status);
  AddText(revoke, "ID", flags->id, "The token, as list names it")->required();
}

}  // namespace cordon::cli
