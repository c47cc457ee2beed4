#include "net/http_call_text.h"

#include <algorithm>
#include <string_view>

namespace cordon::net {
namespace {

Error Unwritable(std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "http call";
  error.detail = "A request's ";
  error.detail += what;
  error.detail += " has a character that has no place there.";
  return error;
}

bool IsTarget(std::string_view text) {
  return text.starts_with('/') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool IsValue(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
  });
}

void Line(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

Result<std::string> HeadText(const HttpPeer& peer, const HttpCall& call,
                             const std::string& protocol) {
  if (!IsToken(call.method)) return Unwritable("method");
  if (!IsTarget(call.target)) return Unwritable("target");
  std::string head = call.method;
  head.append(" ").append(call.target).append(" HTTP/1.1\r\n");
  std::string host = "localhost";
  if (peer.unix_socket.empty()) {
    if (!IsValue(peer.host)) return Unwritable("host");
    host = peer.host.find(':') == std::string::npos ? peer.host : "[" + peer.host + "]";
    host.append(":").append(std::to_string(peer.port));
  }
  Line(head, "Host", host);
  for (const auto& [name, value] : call.fields.all()) {
    if (!IsToken(name) || !IsValue(value)) return Unwritable("field");
    Line(head, name, value);
  }
  if (call.pieces) {
    Line(head, "Transfer-Encoding", "chunked");
  } else if (!call.body.empty() || call.method == "POST" || call.method == "PUT") {
    Line(head, "Content-Length", std::to_string(call.body.size()));
  }
  if (protocol.empty()) {
    Line(head, "Connection", "close");
  } else {
    if (!IsToken(protocol)) return Unwritable("protocol");
    Line(head, "Connection", "Upgrade");
    Line(head, "Upgrade", protocol);
  }
  head.append("\r\n");
  return head;
}

}  // namespace cordon::net
