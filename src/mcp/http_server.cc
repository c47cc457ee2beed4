#include "mcp/http_server.h"

#include <utility>

#include "base/try.h"
#include "mcp/http_endpoint.h"

namespace cordon::mcp {
namespace {

class Server final : public HttpServer {
 public:
  Server(Service& service, Hub& hub, std::shared_ptr<const auth::Access> access,
         const HttpOptions& options)
      : options_(options),
        endpoint_(HttpEndpoint::Make(service, hub, std::move(access), options)) {}
  // First who listens is told the end; then nobody comes in any more; then the rest ends.
  ~Server() override {
    endpoint_->EndListening();
    server_.reset();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status Listen();
  std::string url() const override;

 private:
  const HttpOptions options_;
  const std::unique_ptr<HttpEndpoint> endpoint_;
  std::unique_ptr<net::HttpServer> server_;
};

Status Server::Listen() {
  TRY_ASSIGN(server_, net::HttpServer::Start(
                          options_.address, options_.limits,
                          [this](net::HttpRequest request, std::shared_ptr<net::HttpReply> reply) {
                            endpoint_->Handle(std::move(request), std::move(reply));
                          },
                          [this](net::HttpRequest& request) { return endpoint_->Check(request); }));
  return {};
}

std::string Server::url() const {
  if (!options_.address.unix_socket.empty()) return "unix:" + server_->address();
  return "http://" + server_->address() + options_.endpoint;
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(Service& service, Hub& hub,
                                                      std::shared_ptr<const auth::Access> access,
                                                      const HttpOptions& options) {
  auto server = std::make_unique<Server>(service, hub, std::move(access), options);
  TRY(server->Listen());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace cordon::mcp
