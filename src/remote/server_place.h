// Where a running `cordon serve` is found, and what opens it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "net/http_client.h"

namespace cordon::remote {

struct ServerPlace {
  net::HttpPeer peer;
  std::string token;
  // For people: "127.0.0.1:7070", and where each was learnt from.
  std::string address, address_source, token_source;
};

// What the person has said; what is unset is looked for in `state`, the server's directory.
struct ServerHints {
  std::optional<std::string> server;      // "http://127.0.0.1:7070", "[::1]:7070", "unix:/path"
  std::string server_source;              // "--server", "CORDON_SERVER"
  std::optional<std::string> token;       // the secret itself
  std::optional<std::string> token_file;  // absolute
  std::string token_source;
  std::string state;
};

// Errors: kInvalidArguments for an address that is none, or not of this machine; kNotFound when
//   no server has left its address or token there; kPermissionDenied when others could have
//   written it. Each says what to do.
Result<ServerPlace> FindServer(const ServerHints& hints);

// Leaves `url` in the server's directory, for its user alone, until this goes.
class AddressFile {
 public:
  static Result<AddressFile> Write(std::string_view state, std::string_view url);
  AddressFile(AddressFile&& other) noexcept;
  AddressFile& operator=(AddressFile&&) = delete;
  ~AddressFile();

 private:
  explicit AddressFile(platform::UniqueFd directory) : directory_(std::move(directory)) {}
  platform::UniqueFd directory_;
};

// "http://HOST:PORT", "HOST:PORT" or "unix:PATH". Errors: kInvalidArguments.
Result<net::HttpPeer> ParseServerAddress(std::string_view text);

}  // namespace cordon::remote
