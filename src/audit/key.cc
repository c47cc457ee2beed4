#include "audit/key.h"

#include <array>

#include "audit/random.h"
#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_io.h"

namespace cordon::audit {
namespace {

using platform::PrivateAccess;

constexpr std::size_t kFileSize = 65;

std::string Bytes(const Digest& digest) { return {digest.begin(), digest.end()}; }

Error NoKey(const std::string& name) {
  Error error;
  error.op = "read";
  error.component = name;
  error.detail = name + " does not hold an audit key: 64 hexadecimal digits and a newline";
  return error;
}

// A whole key under a name of its own first: nobody ever sees half a key.
Status MakeKey(const NamedPlace& place) {
  const int directory = place.directory.get();
  const std::string own = place.name + "." + ToHex(RandomDigest()).substr(0, 16);
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenPrivateFile(directory, own.c_str(), PrivateAccess::kCreateExclusive));
  Status made = platform::WriteAll(file.get(), ToHex(RandomDigest()) + "\n");
  if (made) made = platform::SyncFile(file.get());
  if (made) made = platform::RenameNoReplace(directory, own.c_str(), place.name.c_str());
  if (!made) {
    TRY(platform::RemoveFile(directory, own.c_str()));
    if (made.error().code != ErrorCode::kAlreadyExists) return made;
  }
  return platform::SyncFile(directory);
}

}  // namespace

Result<Key> Key::Read(const NamedPlace& place) {
  TRY_ASSIGN(
      const platform::UniqueFd file,
      platform::OpenPrivateFile(place.directory.get(), place.name.c_str(), PrivateAccess::kRead));
  std::array<char, kFileSize + 1> text{};
  TRY_ASSIGN(const std::size_t size, platform::ReadAt(file.get(), 0, text));
  if (size != kFileSize || text[kFileSize - 1] != '\n') return NoKey(place.name);
  const auto secret = FromHex({text.data(), kFileSize - 1});
  if (!secret) return NoKey(place.name);
  return Key(Bytes(*secret));
}

Result<Key> Key::ReadOrMake(const NamedPlace& place) {
  auto key = Read(place);
  if (key || key.error().code != ErrorCode::kNotFound) return key;
  TRY(MakeKey(place));
  return Read(place);
}

HmacSha256 Key::ForHeads() const { return HmacSha256(Bytes(ForLines().Of("cordon audit head 1"))); }

}  // namespace cordon::audit
