// Server-sent events, as they come in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cordon::remote {

// Takes a stream apart, whatever pieces it comes in. Comments and fields other than `event` and
// `data` are passed over.
class EventStream {
 public:
  struct Event {
    std::string name = "message";
    std::string data;
  };
  void Add(std::string_view bytes) { rest_ += bytes; }
  // The next that is complete; unset: more bytes are needed.
  std::optional<Event> Next();
  std::size_t pending() const { return rest_.size(); }  // bytes of one that is not complete

 private:
  std::string rest_;
};

}  // namespace cordon::remote
