#include "audit/verify.h"

#include <utility>

#include "audit/files.h"
#include "audit/key.h"
#include "audit/snapshot.h"
#include "audit/walk.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

using platform::MissingDirectory;

Verification Found(Damage damage, std::string file, std::string detail) {
  Verification result;
  result.damage = Finding{damage, std::move(file), 0, 1, std::move(detail)};
  return result;
}

}  // namespace

std::string_view DamageName(Damage damage) {
  switch (damage) {
    case Damage::kChanged: return "changed";
    case Damage::kRemoved: return "removed";
    case Damage::kReordered: return "reordered";
    case Damage::kForeign: return "foreign";
    case Damage::kTruncated: return "truncated";
    case Damage::kAdded: return "added";
    case Damage::kNoHead: return "no head";
  }
  return "";
}

Result<Verification> Verify(const LogPlace& place, const VerifyOptions& options,
                            confine::AmbientAuthority authority) {
  TRY_ASSIGN(NamedPlace log_place, OpenPlace(place.log_file, MissingDirectory::kRefuse, authority));
  TRY_ASSIGN(const NamedPlace key_place,
             OpenPlace(place.key_file, MissingDirectory::kRefuse, authority));
  const LogFiles files(std::move(log_place));
  TRY_ASSIGN(const Key key, Key::Read(key_place));
  HmacSha256 head_mac = key.ForHeads();
  TRY_ASSIGN(LogSnapshot snapshot, TakeSnapshot(files, head_mac));
  if (!snapshot.has_head) {
    return Found(Damage::kNoHead, files.head_name(),
                 "the head is missing; without it nobody can tell whether the log was cut short");
  }
  if (!snapshot.head_broken.empty()) {
    return Found(Damage::kChanged, files.head_name(), snapshot.head_broken);
  }
  if (options.first > 1 && options.first > snapshot.head.current.seq) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "verify";
    error.detail = "the log ends with record " + std::to_string(snapshot.head.current.seq);
    return error;
  }
  return Walk(files, std::move(snapshot), key.ForLines(), options).Run();
}

}  // namespace cordon::audit
