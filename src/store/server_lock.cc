#include "store/server_lock.h"

#include <utility>

#include "base/try.h"
#include "platform/file_lock.h"
#include "platform/private_file.h"
#include "platform/unique_fd.h"

namespace cordon::store {

struct ServerLock::State {
  platform::UniqueFd file;
  platform::FileLock lock;
};

ServerLock::ServerLock(std::unique_ptr<State> state) : state_(std::move(state)) {}
ServerLock::ServerLock(ServerLock&&) noexcept = default;
ServerLock::~ServerLock() = default;

Result<ServerLock> ServerLock::Take(const std::string& directory) {
  TRY_ASSIGN(const platform::UniqueFd place,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kMake));
  TRY_ASSIGN(platform::UniqueFd file,
             platform::OpenPrivateFile(place.get(), "server.lock",
                                       platform::PrivateAccess::kMakeIfMissing));
  auto lock = platform::FileLock::TryTake(file.get(), platform::FileLock::Kind::kExclusive);
  if (!lock && lock.error().code == ErrorCode::kTimeout) {
    lock.error().code = ErrorCode::kAlreadyExists;
    lock.error().detail = "a server is at work in " + directory;
  }
  if (!lock) return std::move(lock.error());
  return ServerLock(std::make_unique<State>(State{std::move(file), std::move(*lock)}));
}

}  // namespace cordon::store
