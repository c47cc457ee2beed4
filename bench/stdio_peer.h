// A server in a process of its own, spoken to over its standard input and output.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace cordon::bench {

// Ends the program with a message when the server does not do its part.
class StdioPeer {
 public:
  explicit StdioPeer(const std::vector<std::string>& command);
  ~StdioPeer();  // closes its input and waits
  StdioPeer(const StdioPeer&) = delete;
  StdioPeer& operator=(const StdioPeer&) = delete;

  void Send(const std::string& bytes) const;
  // Takes the next line that is a response; others are skipped.
  void Response();
  // Sends what `request(i, bytes)` appends for every i, `window` of them unanswered at most.
  template <typename Make>
  void Pipeline(std::size_t count, std::size_t window, Make request);

  std::size_t ResidentKiB() const;
  // Of all its threads, in the program and in the kernel, since it began.
  std::chrono::nanoseconds ProcessorTime() const;

 private:
  void Fill();

  pid_t process_ = -1;
  int in_ = -1;   // to it
  int out_ = -1;  // from it
  std::vector<char> piece_;
  std::string buffer_;
  std::size_t begin_ = 0;
};

template <typename Make>
void StdioPeer::Pipeline(std::size_t count, std::size_t window, Make request) {
  std::size_t sent = 0;
  std::size_t answered = 0;
  std::string bytes;
  while (answered < count) {
    bytes.clear();
    for (; sent < count && sent - answered < window; ++sent) request(sent, bytes);
    if (!bytes.empty()) Send(bytes);
    // Half of what is open, so that the server never waits for us.
    const std::size_t until = sent == count ? count : sent - window / 2;
    for (; answered < until; ++answered) Response();
  }
}

}  // namespace cordon::bench
