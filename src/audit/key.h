// The key that log and head are signed with.
#pragma once

#include <string>
#include <string_view>

#include "audit/files.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

// Thread safety: const methods may run concurrently.
class Key {
 public:
  // The file holds 32 random bytes as 64 hexadecimal digits and a newline.
  // Errors: kNotFound; kPermissionDenied, kNotARegularFile (platform/private_file.h);
  //   kIoError when it holds anything else.
  static Result<Key> Read(const NamedPlace& place);
  // Made if it is missing; of several processes that try, all get the same.
  static Result<Key> ReadOrMake(const NamedPlace& place);

  HmacSha256 ForLines() const { return HmacSha256(secret_); }
  // Another key, so that no line can pass for a head.
  HmacSha256 ForHeads() const;

 private:
  explicit Key(std::string secret) : secret_(std::move(secret)) {}
  std::string secret_;
};

}  // namespace cordon::audit
