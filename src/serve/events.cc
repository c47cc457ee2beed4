#include "serve/events.h"

#include <boost/json/serialize.hpp>

#include "base/base64.h"
#include "base/unicode.h"
#include "net/ascii.h"

namespace cordon::serve {

net::HttpResponse EventStreamHead() {
  net::HttpResponse head;
  head.fields.Add("Content-Type", "text/event-stream");
  head.fields.Add("Cache-Control", "no-store");
  head.fields.Add("X-Accel-Buffering", "no");
  return head;
}

std::string EventText(std::string_view name, const boost::json::object& data, std::string_view id) {
  std::string text;
  if (!id.empty()) text.append("id: ").append(id).append("\n");
  text.append("event: ").append(name).append("\ndata: ");
  text.append(boost::json::serialize(data)).append("\n\n");
  return text;
}

bool WantsEvents(const net::HttpRequest& request) {
  const auto accept = request.fields.Find("Accept");
  return accept && net::LowerCase(*accept).find("text/event-stream") != std::string::npos;
}

void AddOutput(boost::json::object& object, std::string_view name, std::string_view bytes) {
  if (unicode::IsValidUtf8(bytes)) {
    object[name] = bytes;
    return;
  }
  object[name] = Base64Encode(bytes);
  std::string encoding(name);
  encoding += "Encoding";
  object[encoding] = "base64";
}

}  // namespace cordon::serve
