#include "preview/request_check.h"

#include <algorithm>
#include <array>

#include "net/ascii.h"

namespace cordon::preview {
namespace {

using boost::beast::http::field;
using net::SameIgnoringCase;

constexpr std::array<std::string_view, 7> kNeverForUs = {
    "Host",       "Content-Length", "Transfer-Encoding", "Cookie", "Authorization",
    "Set-Cookie", "Expect"};

template <typename Each>
void EachToken(std::string_view list, Each each) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view token = net::TrimBlanks(list.substr(0, comma));
    if (!token.empty()) each(token);
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What tells where the body ends, in requests and replies alike.
std::optional<Fault> CheckFraming(const Head& head) {
  const std::size_t lengths = head.Count(field::content_length);
  const std::size_t codings = head.Count(field::transfer_encoding);
  if (lengths > 1) return Fault{400, "more than one Content-Length"};
  if (lengths == 1 && codings > 0) return Fault{400, "both a length and a transfer coding"};
  if (lengths == 1 && !IsNumber(*head.Only(field::content_length))) {
    return Fault{400, "Content-Length is no number"};
  }
  if (codings == 0) return std::nullopt;
  if (codings > 1 || head.version < 11 ||
      !SameIgnoringCase(*head.Only(field::transfer_encoding), "chunked")) {
    return Fault{400, "no transfer coding but chunked is known"};
  }
  return std::nullopt;
}

bool IsPath(std::string_view target) {
  return target.starts_with('/') &&
         std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c != 0x7f; }) &&
         target.find('#') == std::string_view::npos;
}

}  // namespace

std::optional<Options> Options::Of(const Head& head) {
  Options options;
  bool good = true;
  for (const Field& one : head.fields) {
    if (one.known != field::connection) continue;
    EachToken(one.value, [&](std::string_view token) {
      if (SameIgnoringCase(token, "close")) {
        options.close = true;
      } else if (SameIgnoringCase(token, "keep-alive")) {
        options.keep_alive = true;
      } else if (SameIgnoringCase(token, "upgrade")) {
        options.upgrade = true;
      } else {
        good = good && std::none_of(kNeverForUs.begin(), kNeverForUs.end(),
                                    [&](auto never) { return SameIgnoringCase(token, never); });
        options.named.push_back(token);
      }
    });
  }
  if (!good) return std::nullopt;
  return options;
}

std::optional<Fault> CheckRequest(const Head& head) {
  if (head.version != 10 && head.version != 11) return Fault{505, "this is not HTTP/1.1"};
  if (auto fault = CheckFraming(head)) return fault;
  if (head.method == "CONNECT" || head.method == "TRACE") {
    return Fault{501, "this method is not passed on"};
  }
  if (!IsPath(head.target)) return Fault{400, "the target must be a path"};
  if (head.Count(field::host) != 1) return Fault{400, "there must be one Host"};
  if (head.Count(field::expect) > 1) return Fault{417, "more than one Expect"};
  if (const auto expect = head.Only(field::expect);
      expect && !SameIgnoringCase(*expect, "100-continue")) {
    return Fault{417, "nothing but 100-continue can be expected"};
  }
  return std::nullopt;
}

std::optional<std::string_view> WantedUpgrade(const Head& head, const Options& options) {
  if (!options.upgrade || head.version != 11) return std::nullopt;
  const auto wanted = head.Only(field::upgrade);
  if (!wanted || wanted->empty() || wanted->find(',') != std::string_view::npos) return {};
  if (wanted->size() >= 2 && SameIgnoringCase(wanted->substr(0, 2), "h2")) return std::nullopt;
  if (head.Count(field::transfer_encoding) > 0) return std::nullopt;
  if (const auto length = head.Only(field::content_length); length && *length != "0") return {};
  return wanted;
}

bool IsUpgradedTo(const Head& reply, const Options& options, std::string_view wanted) {
  const auto to = reply.Only(field::upgrade);
  return options.upgrade && to && SameIgnoringCase(*to, wanted);
}

bool IsSoundReply(const Head& head) {
  if (head.version != 10 && head.version != 11) return false;
  if (head.status < 100 || head.status > 999) return false;
  return !CheckFraming(head);
}

bool IsRepeatable(const Head& head) {
  constexpr std::array<std::string_view, 3> kSafe = {"GET", "HEAD", "OPTIONS"};
  if (std::find(kSafe.begin(), kSafe.end(), head.method) == kSafe.end()) return false;
  const auto length = head.Only(field::content_length);
  return head.Count(field::transfer_encoding) == 0 && (!length || *length == "0");
}

}  // namespace cordon::preview
