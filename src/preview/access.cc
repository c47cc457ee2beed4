#include "preview/access.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/percent.h"
#include "base/try.h"
#include "net/ascii.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/host.h"
#include "platform/private_file.h"

namespace cordon::preview {
namespace {

constexpr const char* kFile = "preview.key";
constexpr std::size_t kFileSize = 65;
constexpr std::size_t kSignature = 64;
constexpr std::string_view kQuery = "?grant=";
constexpr std::string_view kOnward = "&to=";

// So that it can stand in a query, whatever it holds.
std::string QueryText(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/?=&:@!$'()*+,;";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return text;
}

std::string NewSecret() {
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t random = platform::RandomNumber();
    for (std::size_t j = 0; j < sizeof random; ++j, random >>= 8U) {
      digest.at(i + j) = static_cast<std::uint8_t>(random);
    }
  }
  return ToHex(digest);
}

Result<std::string> ReadSecret(int directory) {
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenPrivateFile(directory, kFile, platform::PrivateAccess::kRead));
  std::array<char, kFileSize + 1> text{};
  TRY_ASSIGN(const std::size_t size, platform::ReadAt(file.get(), 0, text));
  const std::string_view hex(text.data(), kSignature);
  if (size != kFileSize || text[kSignature] != '\n' || !FromHex(hex)) {
    Error error;
    error.op = "read";
    error.component = kFile;
    error.detail = "this file does not hold a key for previews";
    return error;
  }
  return std::string(hex);
}

// Whole, or not at all: one server at a time works on the directory.
Status MakeSecret(int directory) {
  const std::string own = std::string(kFile) + ".new";
  if (Status removed = platform::RemoveFile(directory, own.c_str());
      !removed && removed.error().code != ErrorCode::kNotFound) {
    return removed;
  }
  TRY_ASSIGN(
      const platform::UniqueFd file,
      platform::OpenPrivateFile(directory, own.c_str(), platform::PrivateAccess::kCreateExclusive));
  TRY(platform::WriteAll(file.get(), NewSecret() + "\n"));
  TRY(platform::SyncFile(file.get()));
  TRY(platform::RenameNoReplace(directory, own.c_str(), kFile));
  return platform::SyncFile(directory);
}

}  // namespace

Result<AccessKey> AccessKey::ReadOrMake(const std::string& directory) {
  TRY_ASSIGN(const platform::UniqueFd place,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kMake));
  auto secret = ReadSecret(place.get());
  if (!secret && secret.error().code == ErrorCode::kNotFound) {
    TRY(MakeSecret(place.get()));
    secret = ReadSecret(place.get());
  }
  if (!secret) return secret.error();
  return AccessKey(*secret);
}

Digest AccessKey::Sign(const SandboxId& id, UnixSeconds expires) {
  std::string text = "cordon preview 1\n";
  text.append(id.text()).append("\n").append(std::to_string(expires));
  return hmac_.Of(text);
}

std::string AccessKey::Grant(const SandboxId& id, UnixSeconds expires) {
  std::string grant = std::to_string(expires);
  grant += '.';
  AppendHex(grant, Sign(id, expires));
  return grant;
}

std::optional<UnixSeconds> AccessKey::Check(std::string_view untrusted, const SandboxId& id,
                                            UnixSeconds now) {
  const std::size_t dot = untrusted.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  UnixSeconds expires = 0;
  const auto [stopped, failed] = std::from_chars(untrusted.data(), untrusted.data() + dot, expires);
  if (failed != std::errc() || stopped != untrusted.data() + dot || expires <= now) return {};
  if (untrusted.front() == '0') return std::nullopt;  // written in one way alone
  const auto signature = FromHex(untrusted.substr(dot + 1));
  if (!signature || !SameDigest(*signature, Sign(id, expires))) return std::nullopt;
  return expires;
}

std::string EntranceTarget(std::string_view grant, std::string_view path) {
  std::string target(kEntrancePath);
  target.append(kQuery).append(grant).append(kOnward).append(QueryText(path));
  return target;
}

std::optional<Entrance> ParseEntrance(std::string_view untrusted_target) {
  if (!untrusted_target.starts_with(kEntrancePath)) return std::nullopt;
  untrusted_target.remove_prefix(kEntrancePath.size());
  if (!untrusted_target.starts_with(kQuery)) return std::nullopt;
  untrusted_target.remove_prefix(kQuery.size());
  Entrance entrance{std::string(untrusted_target.substr(0, untrusted_target.find('&'))), "/"};
  const std::size_t onward = untrusted_target.find(kOnward);
  if (onward == std::string_view::npos) return entrance;
  const auto path = PercentDecode(untrusted_target.substr(onward + kOnward.size()));
  if (!path || !path->starts_with('/')) return std::nullopt;
  // "//host" and "/\host" are other hosts to browsers; what is no plain text is no path.
  if (path->size() > 1 && ((*path)[1] == '/' || (*path)[1] == '\\')) return std::nullopt;
  const bool plain = std::all_of(path->begin(), path->end(),
                                 [](char c) { return c > ' ' && c < 0x7f && c != '\\'; });
  if (!plain) return std::nullopt;
  entrance.path = *path;
  return entrance;
}

bool IsOurCookie(std::string_view name) {
  return std::any_of(std::begin(kCookiePrefixes), std::end(kCookiePrefixes),
                     [&](std::string_view prefix) {
                       return name.size() >= prefix.size() &&
                              net::SameIgnoringCase(name.substr(0, prefix.size()), prefix);
                     });
}

std::string CookieName(const SandboxId& id, Mode mode) {
  if (mode == Mode::kProduction) return std::string(kCookiePrefixes[1]);
  return std::string(kCookiePrefixes[0]) + "-" + id.text();
}

std::string CookieText(std::string_view name, std::string_view grant, std::chrono::seconds lasts) {
  std::string text(name);
  text.append("=").append(grant).append("; Path=/; Max-Age=").append(std::to_string(lasts.count()));
  // A dashboard on another site shows it in a frame: only with these does the browser send it
  // there.
  return text + "; Secure; HttpOnly; SameSite=None; Partitioned";
}

}  // namespace cordon::preview
