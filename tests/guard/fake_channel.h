// A person made of code.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "consent/channel.h"

namespace cordon::testing {

class FakeChannel : public consent::Channel {
 public:
  using Reply = std::function<Result<consent::Choice>(const consent::Question&)>;
  explicit FakeChannel(Reply reply);

  std::string_view name() const override { return "fake"; }
  bool available() const override { return true; }
  Result<consent::Choice> Ask(const consent::Question& question, consent::Deadline deadline,
                              const std::stop_token& stop) override;

  // Everything that was asked so far.
  std::vector<consent::Question> asked() const;

 private:
  Reply reply_;
  mutable std::mutex mutex_;
  std::vector<consent::Question> asked_;
};

// An error as a channel would give it.
Error ChannelError(ErrorCode code);

}  // namespace cordon::testing
