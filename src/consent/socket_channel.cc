#include "consent/socket_channel.h"

#include <exception>
#include <utility>

#include "base/try.h"
#include "consent/approval_directory.h"
#include "consent/approval_server.h"
#include "consent/stale_sockets.h"

namespace cordon::consent {
namespace {

class SocketChannel final : public Channel {
 public:
  explicit SocketChannel(std::unique_ptr<ApprovalServer> server) : server_(std::move(server)) {}

  std::string_view name() const override { return "socket"; }
  bool available() const override { return true; }
  Result<Choice> Ask(const Question& question, Deadline deadline,
                     const std::stop_token& stop) override {
    return server_->Ask(question, deadline, stop);
  }

 private:
  std::unique_ptr<ApprovalServer> server_;
};

}  // namespace

Result<std::shared_ptr<Channel>> ListenForApprovers(const std::string& directory) {
  try {
    TRY_ASSIGN(ApprovalDirectory place, ApprovalDirectory::Make(directory));
    RemoveStaleSockets(place);
    TRY_ASSIGN(std::unique_ptr<ApprovalServer> server, ApprovalServer::Start(std::move(place)));
    return std::shared_ptr<Channel>(std::make_shared<SocketChannel>(std::move(server)));
  } catch (const std::exception& failure) {  // the library's, when the system has no more to give
    Error error;
    error.code = ErrorCode::kIoError;
    error.op = "socket";
    error.detail = failure.what();
    return error;
  }
}

}  // namespace cordon::consent
