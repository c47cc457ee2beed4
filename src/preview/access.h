// Who may see a preview that is not public: whoever shows a grant that this server has signed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sandbox_id.h"
#include "base/sha256.h"
#include "cordon/result.h"
#include "preview/preview_url.h"

namespace cordon::preview {

using UnixSeconds = std::int64_t;

// A grant is text, "EXPIRES.SIGNATURE": HMAC-SHA-256 over the sandbox's id and the time. It opens
// all ports of this one sandbox until then.
// Thread safety: one object serves one thread at a time.
class AccessKey {
 public:
  // The key in `directory`, made if it is missing: 32 random bytes, mode 0600.
  // Errors: kPermissionDenied when others could read or replace it; kIoError.
  static Result<AccessKey> ReadOrMake(const std::string& directory);
  explicit AccessKey(std::string_view secret) : hmac_(secret) {}

  std::string Grant(const SandboxId& id, UnixSeconds expires);
  // When it expires. Unset for anything but a grant of ours for this sandbox that has not yet.
  std::optional<UnixSeconds> Check(std::string_view untrusted, const SandboxId& id,
                                   UnixSeconds now);

 private:
  Digest Sign(const SandboxId& id, UnixSeconds expires);
  HmacSha256 hmac_;
};

// Where a signed URL leads on the preview's own host: the grant becomes a cookie there.
inline constexpr std::string_view kEntrancePath = "/.cordon/enter";
std::string EntranceTarget(std::string_view grant, std::string_view path);
struct Entrance {
  std::string grant;
  std::string path;  // to go on to, on the same host
};
// Unset unless `target` is one; a path that leads to another host is none.
std::optional<Entrance> ParseEntrance(std::string_view untrusted_target);

// All our cookies begin so, the dashboard's too, which browsers send to every port of its host;
// none of them ever reaches what runs in a sandbox, and nothing in there can set one.
inline constexpr std::string_view kCookiePrefixes[] = {"cordon-preview", "__Host-cordon-preview",
                                                       "cordon_", "__Host-cordon_"};
bool IsOurCookie(std::string_view name);
// In development all previews share the host localhost, so that names tell them apart.
std::string CookieName(const SandboxId& id, Mode mode);
// "NAME=GRANT; Path=/; ...": for this host alone, out of reach of scripts, also in a frame.
std::string CookieText(std::string_view name, std::string_view grant, std::chrono::seconds lasts);
// Every value of this name in a Cookie field is tried.
template <typename Each>
void EachCookie(std::string_view field, Each each) {
  while (!field.empty()) {
    const std::size_t end = field.find(';');
    std::string_view one = field.substr(0, end);
    field = end == std::string_view::npos ? std::string_view() : field.substr(end + 1);
    while (!one.empty() && (one.front() == ' ' || one.front() == '\t')) one.remove_prefix(1);
    while (!one.empty() && (one.back() == ' ' || one.back() == '\t')) one.remove_suffix(1);
    const std::size_t equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1);
    each(name, value, one);
  }
}

}  // namespace cordon::preview
