// FILE.head, open: the lock of all writers, what they last agreed on, and the stage.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "audit/files.h"
#include "audit/head_image.h"
#include "audit/key.h"
#include "cordon/result.h"
#include "platform/file_lock.h"
#include "platform/shared_region.h"

namespace cordon::audit {

// All but Lock require the lock to be held.
// Thread safety: none.
class Head {
 public:
  // Made if there is none, for a log with a new id. Errors: kIoError when records
  // stand there without a head.
  using Access = platform::SharedRegion::Access;
  static Result<Head> OpenOrMake(const LogFiles& files, const Key& key,
                                 const platform::BootId& boot);
  static Result<Head> OpenOrMakeForTest(const LogFiles& files, const Key& key,
                                        const platform::BootId& boot, Access access);

  Result<platform::FileLock> Lock() const;

  // Reads what others did meanwhile. Errors: kIoError: not as a writer leaves it.
  Status Refresh();
  const HeadImage& image() const { return image_; }

  // One step that a kill cannot divide.
  Status Begin(UnderWay what);
  Status Finish() { return Begin(UnderWay::kNothing); }
  // Only between Begin and Finish. After a kill under way, or an error, the end is the
  // one before or the new one; to Finish then, Set either.
  Status Set(Which which, const HeadState& state);

  // What the current end tells of and the file does not hold; until something is staged.
  // It is as it was found: CheckStaged (audit/stage.h) looks whether it is right.
  Result<std::string_view> Staged();
  // Whether `size` bytes more can be staged; never where the head is not mapped, as a
  // call a batch gains nothing.
  bool HasRoomFor(std::size_t size) const;
  // Puts them behind what is staged. They count once Set tells of them.
  Status Stage(std::string_view bytes);

  Status Sync() const;
  // Errors: kIoError when the name leads to another file, or nowhere.
  Status CheckName(const LogFiles& files) const;

 private:
  Head(platform::UniqueFd file, platform::SharedRegion region, const Key& key,
       const platform::BootId& boot);
  static Result<Head> OpenOrMake(const LogFiles& files, const Key& key,
                                 const platform::BootId& boot, std::optional<Access> access);
  void Remember();

  platform::UniqueFd file_;
  platform::SharedRegion region_;
  HmacSha256 mac_;
  platform::BootId boot_;
  HeadImage image_;
  std::array<char, kHeadUsed> seen_{};  // the bytes that image_ was read from
};

}  // namespace cordon::audit
