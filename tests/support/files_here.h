// `cordon-tools files` in the test's own process.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "inside/file_worker.h"
#include "provision/driver.h"

namespace cordon::testing {

// The worker in this process, as if it were in a sandbox.
class FilesHere : public provision::ToolStream {
 public:
  explicit FilesHere(const std::string& directory) : worker_(directory) {}
  Status Send(std::string_view bytes) override {
    requests_.Take(bytes);
    while (true) {
      const auto request = requests_.Next();
      if (!request) return request.error();
      if (!*request) return {};
      const auto answer = worker_.Do(**request);
      if (!answer) return answer.error();
      if (*answer) answers_ += inside::Framed(**answer);
    }
  }
  // As pipes do it: in pieces of no particular size.
  Result<std::string> Receive(std::chrono::milliseconds /*patience*/) override {
    if (answers_.empty()) {
      Error late;
      late.code = ErrorCode::kTimeout;
      return late;
    }
    constexpr std::size_t kPiece = 1000;
    std::string piece = answers_.substr(0, kPiece);
    answers_.erase(0, kPiece);
    return piece;
  }

 private:
  inside::FileWorker worker_;
  inside::MessageReader requests_{inside::kLongestRequest};
  std::string answers_;
};

}  // namespace cordon::testing
