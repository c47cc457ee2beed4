// What is to be seen of a sandbox from inside: `cordon-tools look` tells it, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::inside {

struct View {
  struct Process {
    std::uint32_t id = 0, parent = 0;
    std::uint64_t memory = 0;  // bytes
    std::uint64_t cpu_ms = 0;
    std::string program, arguments;
  };
  std::string kernel;      // /proc/version
  std::string kernel_log;  // its first line; "" when it may not be read
  std::uint32_t user = 0;
  std::string capabilities;  // effective, permitted, inheritable, bounding, ambient, in hex
  std::string seccomp;       // "2": a filter; "" when it is not told
  bool no_new_privileges = false;
  bool read_only_root = false;
  std::vector<std::string> interfaces;  // of the network
  std::uint64_t disk = 0;               // bytes below /workspace
  std::vector<std::uint16_t> ports;     // that something listens on
  std::vector<Process> processes;       // without Cordon's own
};

View LookAround();
std::string Encode(const View& view);
// Takes what it understands: the text comes from where nobody is trusted. At most 4096 processes.
View DecodeView(std::string_view text);

}  // namespace cordon::inside
