// A terminal in a sandbox, on the person's own.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/report.h"
#include "cordon/result.h"
#include "net/web_socket.h"
#include "platform/own_terminal.h"
#include "remote/api_client.h"

namespace cordon::cli {

// Passes keys, output and the window's size between the two until the program ends. A connection
// that is lost is made again, and what was printed meanwhile is shown.
class SandboxTerminal {
 public:
  // `target`: of the terminal, "/v1/sandboxes/…/terminals/…".
  SandboxTerminal(const remote::ApiClient& client, std::string target,
                  const platform::OwnTerminal& screen)
      : client_(client), target_(std::move(target)), screen_(screen) {}

  // The program's status. Unset: the person, or who started us, left before its end.
  Result<std::optional<ExitStatus>> Run();

 private:
  void PassKeys();
  void SendSize();
  std::shared_ptr<net::WebSocket> socket();
  void SetSocket(std::shared_ptr<net::WebSocket> socket);
  // False: the person wants to leave while there is no connection.
  bool TakeKeys(std::string keys);
  bool left();
  void Leave();
  // Connects; false when the person left meanwhile.
  Result<bool> Connect();
  // Until the connection ends; set: the program has.
  Result<std::optional<ExitStatus>> Show();
  std::optional<ExitStatus> Obey(const std::string& text);

  const remote::ApiClient& client_;
  const std::string target_;
  const platform::OwnTerminal& screen_;
  std::uint64_t offset_ = 0;
  std::mutex mutex_;
  std::shared_ptr<net::WebSocket> socket_;  // null while there is none
  std::string typed_;                       // meanwhile
  bool left_ = false;
};

}  // namespace cordon::cli
