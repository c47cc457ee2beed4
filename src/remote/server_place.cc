#include "remote/server_place.h"

#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "net/http_server.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/inherited.h"
#include "platform/private_file.h"

namespace cordon::remote {
namespace {

using platform::PrivateAccess;

constexpr const char* kAddressName = "address";
constexpr const char* kNextName = "address.next";
constexpr const char* kTokenName = "token";
constexpr std::size_t kMostBytes = 8192;

Error Wrong(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "find the server";
  error.detail = std::move(detail);
  return error;
}

std::string FirstLine(std::string_view text) {
  text = text.substr(0, std::min(text.find('\n'), text.size()));
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

Result<std::string> ReadLine(std::string_view directory, const char* name) {
  TRY_ASSIGN(const platform::UniqueFd place,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kRefuse));
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenPrivateFile(place.get(), name, PrivateAccess::kRead));
  TRY_ASSIGN(const std::string text, platform::ReadWhole(file.get(), kMostBytes));
  return FirstLine(text);
}

// `what` could not be read: why, and what helps.
Error Explained(const Error& error, const std::string& path, const std::string& what,
                const std::string& help) {
  if (error.code == ErrorCode::kNotFound) {
    return Wrong(ErrorCode::kNotFound, what + ": there is no " + Quoted(path) + "; " + help);
  }
  std::string why = error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
  return Wrong(error.code, what + ": " + Quoted(path) + ": " + why);
}

Result<std::string> ReadAddress(const std::string& state) {
  auto line = ReadLine(state, kAddressName);
  if (line) return line;
  return Explained(line.error(), state + "/" + kAddressName, "no server is running here",
                   "start one with 'cordon serve', or name it with --server or CORDON_SERVER");
}

Result<std::string> ReadToken(const ServerHints& hints) {
  const std::string path = hints.token_file.value_or(hints.state + "/" + kTokenName);
  const std::size_t slash = path.find_last_of('/');
  const std::string directory = slash == 0 ? "/" : path.substr(0, slash);
  auto line = ReadLine(directory, path.substr(slash + 1).c_str());
  if (!line) {
    return Explained(line.error(), path, "no token for the server",
                     "make one with 'cordon serve token create' and put it into CORDON_TOKEN, or "
                     "name a file with --token-file");
  }
  if (line->empty()) return Wrong(ErrorCode::kNotFound, Quoted(path) + " is empty");
  return line;
}

}  // namespace

Result<net::HttpPeer> ParseServerAddress(std::string_view text) {
  const std::string said(text);
  if (text.starts_with("https://")) {
    return Wrong(ErrorCode::kInvalidArguments,
                 Quoted(said) +
                     ": TLS is not spoken here; bring the server's port to this machine "
                     "(ssh -L 7070:127.0.0.1:7070 HOST) and name that");
  }
  if (text.starts_with("http://")) {
    text.remove_prefix(7);
    if (text.starts_with('/')) {  // as the server prints a socket's path
      return net::HttpPeer{std::string(text), {}, 0};
    }
    if (text.ends_with('/')) text.remove_suffix(1);
  }
  auto address = net::ParseHttpAddress(text);
  if (!address) {
    return Wrong(ErrorCode::kInvalidArguments,
                 Quoted(said) + " is no server's address: say 127.0.0.1:7070 or unix:/path");
  }
  return net::HttpPeer{address->unix_socket, address->host, address->port};
}

Result<ServerPlace> FindServer(const ServerHints& hints) {
  ServerPlace place;
  if (hints.server) {
    place.address = *hints.server;
    place.address_source = hints.server_source;
  } else {
    TRY_ASSIGN(place.address, ReadAddress(hints.state));
    place.address_source = hints.state + "/" + kAddressName;
  }
  TRY_ASSIGN(place.peer, ParseServerAddress(place.address));
  if (hints.token) {
    place.token = FirstLine(*hints.token);
    place.token_source = hints.token_source;
  } else {
    TRY_ASSIGN(place.token, ReadToken(hints));
    place.token_source = hints.token_file.value_or(hints.state + "/" + kTokenName);
  }
  return place;
}

Result<AddressFile> AddressFile::Write(std::string_view state, std::string_view url) {
  TRY_ASSIGN(platform::UniqueFd directory,
             platform::OpenStateDirectory(state, platform::MissingDirectory::kMake));
  // One that was killed may have left it; this is the only server here by now.
  static_cast<void>(platform::RemoveFile(directory.get(), kNextName));
  TRY_ASSIGN(
      const platform::UniqueFd file,
      platform::OpenPrivateFile(directory.get(), kNextName, PrivateAccess::kCreateExclusive));
  TRY(platform::WriteAll(file.get(), std::string(url) + "\n"));
  TRY(platform::RenameEntry(directory.get(), kNextName, directory.get(), kAddressName));
  return AddressFile(std::move(directory));
}

AddressFile::AddressFile(AddressFile&& other) noexcept : directory_(std::move(other.directory_)) {}

AddressFile::~AddressFile() {
  if (directory_.valid()) static_cast<void>(platform::RemoveFile(directory_.get(), kAddressName));
}

}  // namespace cordon::remote
