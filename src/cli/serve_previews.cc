#include "cli/serve_previews.h"

#include <charconv>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/report.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"

namespace cordon::cli {
namespace {

constexpr std::size_t kMostPem = std::size_t{1} << 20;
constexpr std::uint16_t kLowestPort = 1024;  // below it are services of the machine

std::optional<std::uint16_t> PortOf(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, port);
  if (failed != std::errc() || stopped != end || port == 0) return std::nullopt;
  return port;
}

Result<preview::PortRange> RangeOf(const std::string& text) {
  const std::size_t hyphen = text.find('-');
  const auto first = PortOf(std::string_view(text).substr(0, hyphen));
  const auto last = hyphen == std::string::npos ? first : PortOf(text.substr(hyphen + 1));
  if (!first || !last || *first > *last || *first < kLowestPort) {
    return UsageError("--preview-ports: " + Quoted(text) + " is no range such as 30000-39999");
  }
  return preview::PortRange{*first, *last};
}

Result<preview::TlsText> ReadIdentity(const std::string& certificate, const std::string& key) {
  const auto authority = confine::AmbientAuthority::OfThisProcess();
  preview::TlsText text;
  TRY_ASSIGN(text.chain, confine::ReadAmbientFile(certificate, kMostPem, authority));
  TRY_ASSIGN(text.key, confine::ReadAmbientFile(key, kMostPem, authority));
  return text;
}

Status ReadTls(const ServePreviewFlags& flags, preview::PreviewTerms& terms) {
  if (!flags.certificate && !flags.key) return {};
  if (!flags.certificate || !flags.key) {
    return UsageError("--preview-tls-cert and --preview-tls-key go together");
  }
  if (!flags.domain) return UsageError("--preview-tls-cert needs --preview-domain");
  for (const std::string& path : {*flags.certificate, *flags.key}) {
    if (!path.starts_with('/')) return UsageError(Quoted(path) + " is no absolute path");
  }
  terms.identity = [certificate = *flags.certificate, key = *flags.key] {
    return ReadIdentity(certificate, key);
  };
  return {};
}

Status ReadHost(const ServePreviewFlags& flags, preview::PreviewTerms& terms) {
  const std::string host = flags.host.value_or("local");
  if (host == "keep") {
    terms.host_inside = preview::HostInside::kAsVisited;
  } else if (host != "local") {
    return UsageError("--preview-host: " + Quoted(host) + " is neither local nor keep");
  }
  return {};
}

}  // namespace

void AddPreviewFlags(CLI::App& command, ServePreviewFlags& flags) {
  command.add_flag("--no-previews", flags.none, "Show no previews");
  AddText(command, "--preview-domain", flags.domain,
          "Previews are https://preview-ID.DOMAIN; without it http://localhost:PORT")
      ->type_name("DOMAIN");
  AddText(command, "--preview-listen", flags.listen,
          "Where previews are found by name; default 127.0.0.1:0 (any free port)")
      ->type_name("ADDRESS");
  command.add_flag("--preview-listen-anywhere", flags.anywhere,
                   "Let --preview-listen name an address that others can reach");
  AddText(command, "--preview-tls-cert", flags.certificate,
          "Certificate chain for *.DOMAIN in PEM; read again when it changes")
      ->type_name("FILE");
  AddText(command, "--preview-tls-key", flags.key, "Its key")->type_name("FILE");
  AddText(command, "--preview-ports", flags.ports,
          "Ports of this machine for previews without a domain; default 30000-39999")
      ->type_name("FIRST-LAST");
  AddText(command, "--preview-port", flags.usual_port, "The usual port inside; default 5173")
      ->type_name("PORT");
  AddText(command, "--preview-host", flags.host,
          "What servers inside are told as Host below DOMAIN: local (localhost:PORT) or keep; "
          "default local")
      ->type_name("local|keep");
  AddList(command, "--dashboard", flags.dashboards, "ORIGIN",
          "A site whose pages may show previews in frames. Repeatable.");
}

Result<std::optional<preview::PreviewTerms>> ParsePreviewFlags(const ServePreviewFlags& flags) {
  if (flags.none) return std::optional<preview::PreviewTerms>();
  preview::PreviewTerms terms;
  terms.domain = flags.domain.value_or("");
  if (flags.domain && !preview::IsPreviewDomain(terms.domain)) {
    return UsageError("--preview-domain: " + Quoted(terms.domain) + " is no domain");
  }
  if (flags.listen) {
    TRY_ASSIGN(terms.address, net::ParseHttpAddress(*flags.listen));
  }
  if (flags.anywhere) terms.address.reach = net::HttpAddress::Reach::kAny;
  TRY(ReadTls(flags, terms));
  TRY(ReadHost(flags, terms));
  if (flags.ports) {
    TRY_ASSIGN(terms.ports, RangeOf(*flags.ports));
  }
  if (flags.usual_port) {
    const auto port = PortOf(*flags.usual_port);
    if (!port) return UsageError("--preview-port: " + Quoted(*flags.usual_port) + " is no port");
    terms.usual_port = *port;
  }
  for (const std::string& origin : flags.dashboards) {
    if (!preview::IsOrigin(origin)) {
      return UsageError("--dashboard: " + Quoted(origin) + " is no origin of a site");
    }
  }
  terms.dashboards = flags.dashboards;
  return std::optional(std::move(terms));
}

}  // namespace cordon::cli
