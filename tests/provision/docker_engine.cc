#include "tests/provision/docker_engine.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>

#include "net/http_client.h"

namespace cordon::testing {
namespace {

std::string ReadLine(int from) {
  std::string line;
  char byte = 0;
  while (::read(from, &byte, 1) == 1 && byte != '\n') line += byte;
  return line;
}

std::string TextAt(const boost::json::value& object, const char* key) {
  const boost::json::value* const found =
      object.is_object() ? object.get_object().if_contains(key) : nullptr;
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

}  // namespace

DockerEngine* DockerEngine::Get(std::string& why) {
  static std::string told;
  static const std::unique_ptr<DockerEngine> engine = [] {
    std::unique_ptr<DockerEngine> made(new DockerEngine);
    if (!made->Start(told)) made.reset();
    return made;
  }();
  why = "No container engine for this test: " + told;
  return engine.get();
}

bool DockerEngine::Start(std::string& why) {
  const char* const script = std::getenv("CORDON_ENGINE");
  if (script == nullptr) return why = "CORDON_ENGINE is not set", false;
  int input[2], output[2];
  if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) {
    return why = "there is no pipe", false;
  }
  keeper_ = ::fork();
  if (keeper_ == 0) {
    // Whoever ends all of this program's processes does not end this one, which cleans up.
    ::setsid();
    ::dup2(input[0], 0);
    ::dup2(output[1], 1);
    ::execlp("python3", "python3", "-B", script, nullptr);
    ::_exit(127);
  }
  ::close(input[0]);
  ::close(output[1]);
  input_ = input[1];
  const std::string line = ReadLine(output[0]);
  ::close(output[0]);
  boost::system::error_code failed;
  const boost::json::value told = boost::json::parse(line, failed);
  socket_ = TextAt(told, "socket");
  folder_ = TextAt(told, "folder");
  why = TextAt(told, "why");
  return !socket_.empty();
}

std::string DockerEngine::Ask(const std::string& path) const {
  net::HttpCall call;
  call.target = path;
  const auto answer = net::HttpClient(net::HttpPeer{socket_}).Send(call);
  return answer ? answer->body : "";
}

bool DockerEngine::HasRuntime(const std::string& runtime) const {
  return Ask("/info").find("\"" + runtime + "\":{\"path\"") != std::string::npos;
}

std::string DockerEngine::NewDirectory() {
  return folder_ + "/driver-" + std::to_string(++directories_);
}

DockerEngine::~DockerEngine() {
  if (input_ >= 0) ::close(input_);
  if (keeper_ > 0) ::waitpid(keeper_, nullptr, 0);
}

}  // namespace cordon::testing
