// The mistake that Cordon does not make, as a server: a path is resolved and checked, and
// then opened by its name. naive_server ROOT; knows read_file and write_file.
#include <fcntl.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

namespace json = boost::json;

std::string Resolved(const std::string& path) {
  char* found = ::realpath(path.c_str(), nullptr);
  std::string text = found == nullptr ? "" : found;
  std::free(found);
  return text;
}

bool IsAllowed(const std::string& resolved, const std::string& root) {
  const bool inside = resolved == root || resolved.starts_with(root + "/");
  return inside && !resolved.ends_with("/.env");
}

json::object Told(const std::string& text, const char* key, bool value) {
  return {{"content", {json::object{{"type", "text"}, {"text", text}}}}, {key, value}};
}

json::object Read(const std::string& path, const std::string& root) {
  if (!IsAllowed(Resolved(path), root)) return Told("refused", "isError", true);
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  char buffer[4096];
  const ssize_t got = ::read(file, buffer, sizeof buffer);
  ::close(file);
  if (got < 0) return Told("failed", "isError", true);
  return Told(std::string(buffer, static_cast<std::size_t>(got)), "isError", false);
}

json::object Write(const std::string& path, const std::string& content, const std::string& root) {
  const std::string parent = path.substr(0, path.rfind('/'));
  if (!IsAllowed(Resolved(parent), root)) return Told("refused", "isError", true);
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0644);
  const ssize_t put = ::write(file, content.data(), content.size());
  ::close(file);
  return Told("written", "isError", put < 0);
}

json::object Answer(const json::object& request, const std::string& root) {
  if (request.at("method") != "tools/call") return {};
  const json::object& params = request.at("params").as_object();
  const json::object& arguments = params.at("arguments").as_object();
  const std::string path(arguments.at("path").as_string());
  if (params.at("name") == "read_file") return Read(path, root);
  return Write(path, std::string(arguments.at("content").as_string()), root);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const std::string root = Resolved(words[1]);
  for (std::string line; std::getline(std::cin, line);) {
    const json::value request = json::parse(line);
    const json::value* id = request.as_object().if_contains("id");
    if (id == nullptr) continue;
    std::cout << json::serialize(json::value{{"jsonrpc", "2.0"},
                                             {"id", *id},
                                             {"result", Answer(request.as_object(), root)}})
              << std::endl;
  }
}
