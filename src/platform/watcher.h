// Learning that an entry of a directory has changed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "cordon/result.h"

namespace cordon::platform {

// One thread for all that is watched. Changes that follow each other closely are told once.
// Does not guarantee: that every change is told; it tells of the last one. Changes made
//   through another name of the same file, or through a mapping, are not seen.
// Thread safety: every method may run concurrently.
class Watcher {
 public:
  using Handle = std::shared_ptr<void>;

  // `most`: so many entries are watched at a time.
  static Result<std::shared_ptr<Watcher>> Start(std::size_t most);
  ~Watcher();  // nothing is told any more
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Tells when the entry `name`, bare, of `directory` is made, written, removed, renamed or
  // replaced, or the directory itself goes, until the handle is dropped. `changed` runs in
  // the watcher's thread, and may still be running when the handle is dropped. The
  // descriptor is needed only for this call. The handle may outlive the watcher.
  // Errors: kLimitExceeded; kPermissionDenied.
  Result<Handle> Watch(int directory, std::string name, std::function<void()> changed);

 private:
  struct State;
  explicit Watcher(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace cordon::platform
