#include "net/egress_head.h"

#include <algorithm>
#include <vector>

#include "net/ascii.h"

namespace cordon::net {
namespace {

constexpr std::string_view kOfOneHop[] = {
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization",
    "te",         "trailer",    "upgrade",          "transfer-encoding",  "content-length",
    "expect"};

// Lower case, from every `Connection`.
std::vector<std::string> NamedByConnection(const HttpFields& fields) {
  std::vector<std::string> names;
  for (const auto& [name, value] : fields.all()) {
    if (!SameIgnoringCase(name, "Connection")) continue;
    for (std::string_view rest = value;;) {
      const std::size_t comma = rest.find(',');
      names.push_back(LowerCase(TrimBlanks(rest.substr(0, comma))));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return names;
}

void AppendField(std::string& text, std::string_view name, std::string_view value) {
  text += name;
  text += ": ";
  text += value;
  text += "\r\n";
}

void AppendPassed(std::string& text, const HttpFields& fields) {
  const std::vector<std::string> named = NamedByConnection(fields);
  for (const auto& [name, value] : fields.all()) {
    const std::string lower = LowerCase(name);
    const bool one_hop =
        std::find(std::begin(kOfOneHop), std::end(kOfOneHop), lower) != std::end(kOfOneHop) ||
        std::find(named.begin(), named.end(), lower) != named.end();
    if (!one_hop && lower != "host") AppendField(text, name, value);
  }
  AppendField(text, "Via", "1.1 cordon");
}

void AppendFraming(std::string& text, Framing framing, std::optional<std::uint64_t> length) {
  if (framing == Framing::kChunks) AppendField(text, "Transfer-Encoding", "chunked");
  if (framing == Framing::kLength && length) {
    AppendField(text, "Content-Length", std::to_string(*length));
  }
}

}  // namespace

std::string RequestHead(const PassedRequest& request) {
  std::string text(request.method);
  text += ' ';
  text += request.target.path;
  text += " HTTP/1.1\r\n";
  AppendField(text, "Host", request.target.authority);
  AppendPassed(text, request.fields);
  AppendFraming(text, request.framing, request.length);
  text += "Connection: close\r\n\r\n";
  return text;
}

std::string ReplyHead(const PassedReply& reply) {
  std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " ";
  text += reply.reason;
  text += "\r\n";
  AppendPassed(text, reply.fields);
  AppendFraming(text, reply.framing, reply.length);
  AppendField(text, "Connection",
              reply.afterwards == Afterwards::kKeepAlive ? "keep-alive" : "close");
  text += "\r\n";
  return text;
}

}  // namespace cordon::net
