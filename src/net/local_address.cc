#include "net/local_address.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <utility>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/host.h"
#include "platform/local_socket.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

constexpr std::size_t kMaxSocketPath = 107;  // the system's own limit
constexpr std::uint32_t kOthers = 077;

Error Refused(ErrorCode code, std::string detail, std::string component) {
  Error error;
  error.code = code;
  error.op = "listen";
  error.component = std::move(component);
  error.detail = std::move(detail);
  return error;
}

// Whether nobody will ever answer there. A full queue or a missing right does not say so.
Result<bool> IsDead(const std::string& path) {
  TRY_ASSIGN(platform::UniqueFd opened, platform::OpenLocalSocket());
  asio::io_context io;
  Protocol::socket socket(io);
  boost::system::error_code failed;
  socket.assign(Protocol(), opened.get(), failed);
  if (failed) return Refused(ErrorCode::kIoError, failed.message(), path);
  static_cast<void>(opened.release());
  socket.non_blocking(true, failed);
  if (!failed) socket.connect(Protocol::endpoint(path), failed);
  return failed == asio::error::connection_refused;
}

}  // namespace

Result<std::string> LocalAddress::Prepare(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  name_ = path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (name_.empty() || name_ == "." || name_ == ".." || name_.find('\0') != std::string::npos) {
    return Refused(ErrorCode::kInvalidArguments, "this cannot be the name of a socket", path);
  }
  TRY_ASSIGN(platform::HostDirectory host, platform::OpenHostDirectory(parent));
  directory_ = std::move(host.directory);
  directory_path_ = std::move(host.real_path);
  if (!directory_path_.ends_with('/')) directory_path_ += '/';
  bound_ = ".";
  for (std::uint64_t digits = platform::RandomNumber() | (std::uint64_t{1} << 40); digits != 0;
       digits >>= 8) {
    bound_ += static_cast<char>('a' + digits % 26);
  }
  if (directory_path_.size() + std::max(name_.size(), bound_.size()) > kMaxSocketPath) {
    bound_.clear();
    return Refused(ErrorCode::kInvalidArguments, "the path of the socket is too long", path);
  }
  return directory_path_ + bound_;
}

Status LocalAddress::Publish() {
  TRY_ASSIGN(const platform::FileStat made, platform::StatEntry(directory_.get(), bound_.c_str()));
  TRY_ASSIGN(const std::uint32_t user, platform::OwnUser());
  if (made.type != platform::FileType::kSocket || made.owner != user ||
      (made.mode & kOthers) != 0) {
    return Refused(ErrorCode::kPermissionDenied, "the socket is not ours alone", name_);
  }
  ours_ = made.identity;
  const Status moved =
      platform::RenameNoReplace(directory_.get(), bound_.c_str(), directory_.get(), name_.c_str());
  if (!moved) {
    if (moved.error().code != ErrorCode::kAlreadyExists) return moved.error();
    TRY(TakeOver());
  }
  bound_.clear();
  published_ = true;
  return {};
}

// The two names are exchanged at once, so what is removed afterwards is known for certain.
Status LocalAddress::TakeOver() {
  const Error taken = Refused(ErrorCode::kAlreadyExists, "something else is there already", name_);
  TRY_ASSIGN(const platform::FileStat found, platform::StatEntry(directory_.get(), name_.c_str()));
  if (found.type != platform::FileType::kSocket) return taken;
  TRY_ASSIGN(const bool dead, IsDead(directory_path_ + name_));
  if (!dead) {
    return Refused(ErrorCode::kAlreadyExists, "somebody listens there already", name_);
  }
  TRY(platform::ExchangeEntries(directory_.get(), bound_.c_str(), directory_.get(), name_.c_str()));
  const auto out = platform::StatEntry(directory_.get(), bound_.c_str());
  if (!out || out->identity != found.identity) {
    static_cast<void>(platform::ExchangeEntries(directory_.get(), bound_.c_str(), directory_.get(),
                                                name_.c_str()));
    return taken;
  }
  return platform::RemoveFile(directory_.get(), bound_.c_str());
}

LocalAddress::~LocalAddress() {
  if (!directory_.valid()) return;
  const std::string& name = published_ ? name_ : bound_;
  if (name.empty()) return;
  const auto found = platform::StatEntry(directory_.get(), name.c_str());
  if (!found || found->type != platform::FileType::kSocket) return;
  if (published_ && found->identity != ours_) return;
  static_cast<void>(platform::RemoveFile(directory_.get(), name.c_str()));
}

}  // namespace cordon::net
