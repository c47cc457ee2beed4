// Questions to a client of the handshake era that it has not answered yet.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>

#include "mcp/exchange.h"
#include "mcp/message.h"
#include "mcp/reply_stream.h"

namespace cordon::mcp {

// Thread safety: everything may run concurrently.
class PendingAsks {
 public:
  using Answer = tl::expected<boost::json::object, AskFailure>;

  // Sends the question on `sink` and waits. Withdraws it when it waits no longer.
  Answer Ask(MessageSink& sink, std::string_view method, const boost::json::object& params,
             std::chrono::milliseconds patience, const std::stop_token& stop);
  // An answer to what was not asked, or is not waited for any more, is ignored.
  void Answered(Response response);
  // Nobody answers any more.
  void Close();

 private:
  struct Waiting {
    std::optional<Answer> answer;
  };
  // More would only queue before the same person, and each holds a thread.
  static constexpr std::size_t kMax = 16;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::int64_t last_ = 0;
  bool closed_ = false;
  std::map<Id, std::shared_ptr<Waiting>> waiting_;
};

}  // namespace cordon::mcp
