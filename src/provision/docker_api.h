// The calls of the Docker Engine API that are needed here, over its local socket. What
// comes back is not trusted to be whole.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "net/http_client.h"

namespace cordon::provision {

// Errors of all: kNotFound (404), kAlreadyExists (409), kIoError with the engine's own words,
//   kTimeout.
// Thread safety: all methods may run concurrently.
class DockerApi {
 public:
  explicit DockerApi(std::string socket);

  // /info and /version in one: what is needed of them.
  struct Engine {
    std::string version;
    std::vector<std::string> runtimes;
    std::vector<std::string> security;  // "name=seccomp,profile=default"
  };
  Result<Engine> Describe() const;

  // Gives the container's id.
  Result<std::string> Create(const std::string& name, const boost::json::object& terms) const;
  Status Start(const std::string& container) const;
  Status Pause(const std::string& container) const;
  Status Unpause(const std::string& container) const;
  // Ends what runs in it; it stays, dead.
  Status Kill(const std::string& container) const;
  // With its volumes, running or not. No error if there is none.
  Status Remove(const std::string& container) const;
  Result<boost::json::object> Inspect(const std::string& container) const;
  Result<boost::json::object> Stats(const std::string& container) const;
  // All that have the label, also those never started.
  Result<boost::json::array> List(const std::string& label) const;
  // Of containers with the label, one JSON object a line.
  Result<std::unique_ptr<net::HttpIncoming>> Events(const std::string& label) const;

  struct Command {
    std::string user;  // "USER:GROUP"
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
  };
  struct Started {
    std::string exec;
    net::HttpHijack streams;
  };
  Result<Started> Exec(const std::string& container, const Command& command) const;
  // The status it ended with. Errors: kTimeout when it still runs.
  Result<int> ExecStatus(const std::string& exec) const;

 private:
  Result<boost::json::value> Call(std::string_view method, std::string_view target,
                                  const boost::json::value& body = nullptr) const;
  Status Post(std::string_view target) const;

  net::HttpClient client_;
};

// "" and so on when there is none.
std::string TextAt(const boost::json::object& object, std::string_view key);
std::int64_t NumberAt(const boost::json::object& object, std::string_view key);
bool IsTrueAt(const boost::json::object& object, std::string_view key);
const boost::json::object& ObjectAt(const boost::json::object& object, std::string_view key);
const boost::json::array& ArrayAt(const boost::json::object& object, std::string_view key);

}  // namespace cordon::provision
