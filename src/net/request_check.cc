#include "net/request_check.h"

#include "net/ascii.h"

namespace cordon::net {

std::optional<HeadFault> CheckHead(const HttpRequest& request, HttpVersion version) {
  const HttpFields& fields = request.fields;
  const auto length = fields.Find("Content-Length");
  const auto coding = fields.Find("Transfer-Encoding");
  if (length && coding) return HeadFault{400, "both a length and a transfer coding"};
  if (fields.Count("Content-Length") > 1) return HeadFault{400, "more than one Content-Length"};
  if (length &&
      (length->empty() || length->find_first_not_of("0123456789") != std::string_view::npos)) {
    return HeadFault{400, "Content-Length is no number"};
  }
  if (coding && (version == HttpVersion::k10 || fields.Count("Transfer-Encoding") > 1 ||
                 !SameIgnoringCase(*coding, "chunked"))) {
    return HeadFault{400, "no transfer coding but chunked is known"};
  }
  const std::size_t hosts = fields.Count("Host");
  if (hosts > 1 || (hosts == 0 && version == HttpVersion::k11)) {
    return HeadFault{400, "there must be one Host"};
  }
  if (!request.path.starts_with('/')) return HeadFault{400, "the target must be a path"};
  if (request.method == "CONNECT") return HeadFault{405, "this is no proxy"};
  const auto expect = fields.Find("Expect");
  if (expect && !SameIgnoringCase(*expect, "100-continue")) {
    return HeadFault{417, "nothing but 100-continue can be expected"};
  }
  return std::nullopt;
}

}  // namespace cordon::net
