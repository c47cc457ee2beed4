#include "preview/forward.h"

#include <algorithm>
#include <array>

#include "net/ascii.h"
#include "preview/access.h"

namespace cordon::preview {
namespace {

using boost::beast::http::field;
using net::SameIgnoringCase;

void Append(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append("\r\n");
}

bool IsForOneHop(const Field& one, const Options& options) {
  switch (one.known) {
    case field::connection:
    case field::keep_alive:
    case field::proxy_authenticate:
    case field::proxy_authorization:
    case field::proxy_connection:
    case field::te:
    case field::trailer:
    case field::upgrade: return true;
    default: break;
  }
  return std::any_of(options.named.begin(), options.named.end(),
                     [&](std::string_view named) { return SameIgnoringCase(named, one.name); });
}

// What only we can say.
bool TellsTheWay(const Field& one) {
  if (one.known == field::forwarded || one.name.size() < 5) return one.known == field::forwarded;
  if (one.name.front() != 'x' && one.name.front() != 'X' && one.name.front() != 'P' &&
      one.name.front() != 'p') {
    return false;
  }
  constexpr std::string_view kForwarded = "X-Forwarded-";
  return SameIgnoringCase(one.name.substr(0, kForwarded.size()), kForwarded) ||
         SameIgnoringCase(one.name, "X-Real-IP") || SameIgnoringCase(one.name, "Proxy");
}

void AppendCookies(std::string& text, std::string_view value) {
  const std::size_t before = text.size();
  text += "Cookie: ";
  bool any = false;
  EachCookie(value, [&](std::string_view name, std::string_view, std::string_view whole) {
    if (whole.empty() || IsOurCookie(name)) return;
    if (any) text += "; ";
    text += whole;
    any = true;
  });
  if (any) {
    text += "\r\n";
  } else {
    text.resize(before);
  }
}

// "http://host" for what is said to be "SCHEME://host".
bool IsOrigin(std::string_view value, std::string_view scheme, std::string_view host) {
  if (!value.starts_with(scheme)) return false;
  value.remove_prefix(scheme.size());
  return value.starts_with("://") && SameIgnoringCase(value.substr(3), host);
}

void AppendWay(std::string& text, const RequestTerms& terms) {
  const bool six = terms.client.find(':') != std::string_view::npos;
  text += "Forwarded: for=";
  text.append(six ? "\"[" : "").append(terms.client).append(six ? "]\"" : "");
  text.append(";host=\"").append(terms.host).append("\";proto=").append(terms.scheme);
  text += "\r\n";
  Append(text, "X-Forwarded-For", terms.client);
  Append(text, "X-Forwarded-Host", terms.host);
  Append(text, "X-Forwarded-Proto", terms.scheme);
}

// Without an attribute that would show the cookie to other hosts. Ours are dropped.
void AppendSetCookie(std::string& text, std::string_view value) {
  const std::string_view pair = value.substr(0, value.find(';'));
  if (IsOurCookie(net::TrimBlanks(pair.substr(0, pair.find('='))))) return;
  text.append("Set-Cookie: ").append(pair);
  std::string_view rest = value.substr(pair.size());
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(one.size());
    const std::string_view name = net::TrimBlanks(one.substr(0, one.find('=')));
    if (!SameIgnoringCase(name, "Domain")) text.append(";").append(one);
  }
  text += "\r\n";
}

// Leads back to where the visitor is, not to what the server inside takes itself for.
void AppendLocation(std::string& text, std::string_view value, const ReplyTerms& terms) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!value.starts_with(scheme)) continue;
    const std::string_view rest = value.substr(scheme.size());
    if (!rest.starts_with(terms.host_inside)) continue;
    const std::string_view path = rest.substr(terms.host_inside.size());
    if (path.empty() || path.front() == '/')
      return Append(text, "Location", path.empty() ? "/" : path);
  }
  Append(text, "Location", value);
}

bool Rewrites(std::string_view host, std::string_view inside) { return host != inside; }

void AppendRequestField(std::string& text, const Field& one, const RequestTerms& terms) {
  if (one.known == field::host) return;
  if (one.known == field::cookie) return AppendCookies(text, one.value);
  if (one.known == field::authorization &&
      terms.authorization == RequestTerms::Authorization::kKeep) {
    return;
  }
  if (one.known == field::origin && Rewrites(terms.host, terms.host_inside) &&
      IsOrigin(one.value, terms.scheme, terms.host)) {
    text.append("Origin: http://").append(terms.host_inside).append("\r\n");
    return;
  }
  Append(text, one.name, one.value);
}

}  // namespace

void AppendRequest(std::string& text, const Head& head, const Options& options,
                   const RequestTerms& terms) {
  text.append(head.method).append(" ").append(head.target).append(" HTTP/1.1\r\n");
  Append(text, "Host", terms.host_inside);
  for (const Field& one : head.fields) {
    if (IsForOneHop(one, options) || TellsTheWay(one)) continue;
    AppendRequestField(text, one, terms);
  }
  AppendWay(text, terms);
  if (!terms.upgrade.empty()) {
    Append(text, "Connection", "Upgrade");
    Append(text, "Upgrade", terms.upgrade);
  }
  text += "\r\n";
}

void AppendReply(std::string& text, const Head& head, const Options& options,
                 const ReplyTerms& terms) {
  text.append("HTTP/1.1 ").append(std::to_string(head.status)).append(" ");
  text.append(head.reason).append("\r\n");
  const bool reframed = terms.framing != ReplyTerms::Framing::kAsItWas;
  for (const Field& one : head.fields) {
    if (IsForOneHop(one, options)) continue;
    if (one.known == field::transfer_encoding && reframed) continue;
    if (one.known == field::set_cookie) {
      AppendSetCookie(text, one.value);
    } else if (one.known == field::location && Rewrites(terms.host, terms.host_inside)) {
      AppendLocation(text, one.value, terms);
    } else if (!SameIgnoringCase(one.name, "X-Frame-Options")) {
      Append(text, one.name, one.value);
    }
  }
  if (terms.framing == ReplyTerms::Framing::kChunks) Append(text, "Transfer-Encoding", "chunked");
  if (!terms.frame_ancestors.empty()) {
    text.append("Content-Security-Policy: frame-ancestors ").append(terms.frame_ancestors);
    text += "\r\n";
  }
  if (!terms.upgrade.empty()) {
    Append(text, "Connection", "Upgrade");
    Append(text, "Upgrade", terms.upgrade);
  } else if (terms.afterwards == ReplyTerms::Afterwards::kClose) {
    Append(text, "Connection", "close");
  } else if (terms.afterwards == ReplyTerms::Afterwards::kKeepAlive) {
    Append(text, "Connection", "keep-alive");
  }
  text += "\r\n";
}

}  // namespace cordon::preview
