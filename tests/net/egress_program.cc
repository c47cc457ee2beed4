// Runs an egress proxy over listeners it is given: egress_program HTTP_FD SOCKS_FD RULES.
// One line a request on standard output; ends when standard input does.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "net/egress_proxy.h"

int main(int argc, char** argv) {
  using namespace cordon;  // NOLINT(google-build-using-namespace): a program of one function
  if (argc != 4) return 2;
  net::EgressProxy::Parts parts;
  parts.http_listener.reset(std::atoi(argv[1]));
  parts.socks_listener.reset(std::atoi(argv[2]));
  auto rules = policy::NetworkRules::Parse(argv[3]);
  if (!rules) {
    std::fprintf(stderr, "%s\n", rules.error().detail.c_str());
    return 2;
  }
  parts.rules = *rules;
  parts.observer = [](const net::EgressRequest& request) {
    const bool ended = request.stage == net::EgressRequest::Stage::kEnded;
    std::printf("%s %s %s %s %s:%u %s %llu %llu\n", ended ? "ended" : "decided",
                std::string(net::EgressProtocolName(request.protocol)).c_str(),
                request.allowed ? "allowed" : "refused", request.rule.c_str(), request.host.c_str(),
                static_cast<unsigned>(request.port), request.address.c_str(),
                static_cast<unsigned long long>(request.bytes_up),
                static_cast<unsigned long long>(request.bytes_down));
    std::fflush(stdout);
  };
  auto proxy = net::EgressProxy::Start(std::move(parts));
  if (!proxy) {
    std::fprintf(stderr, "%s\n", proxy.error().detail.c_str());
    return 1;
  }
  std::puts("ready");
  std::fflush(stdout);
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}
