#include "tests/guard/fake_channel.h"

#include <utility>

namespace cordon::testing {

FakeChannel::FakeChannel(Reply reply) : reply_(std::move(reply)) {}

Result<consent::Choice> FakeChannel::Ask(const consent::Question& question,
                                         consent::Deadline /*deadline*/,
                                         const std::stop_token& /*stop*/) {
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(question);
  }
  return reply_(question);
}

std::vector<consent::Question> FakeChannel::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

Error ChannelError(ErrorCode code) {
  Error error;
  error.code = code;
  error.op = "ask";
  return error;
}

}  // namespace cordon::testing
