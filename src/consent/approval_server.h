// The asking side of the approval socket: who is attached, and which question is open.
#pragma once

#include <memory>
#include <stop_token>

#include "consent/approval_directory.h"
#include "consent/channel.h"
#include "consent/question.h"
#include "cordon/result.h"

namespace cordon::consent {

// Has one thread of its own, on which everything about its peers happens.
class ApprovalServer {
 public:
  static constexpr std::size_t kMaxPeers = 16;

  // Errors: kInvalidPath, kPermissionDenied, kIoError.
  static Result<std::unique_ptr<ApprovalServer>> Start(ApprovalDirectory directory);
  ~ApprovalServer();  // cuts everybody off and removes the socket
  ApprovalServer(const ApprovalServer&) = delete;
  ApprovalServer& operator=(const ApprovalServer&) = delete;

  // As Channel::Ask.
  Result<Choice> Ask(const Question& question, Deadline deadline, const std::stop_token& stop);

 private:
  class Impl;
  explicit ApprovalServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon::consent
