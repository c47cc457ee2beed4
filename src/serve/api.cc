#include "serve/api.h"

#include <any>
#include <utility>

#include "base/try.h"
#include "net/passing_reply.h"
#include "serve/counters.h"
#include "serve/gate.h"
#include "serve/openapi.h"
#include "serve/problem.h"
#include "serve/router.h"
#include "serve/routes.h"
#include "serve/slots.h"

namespace cordon::serve {
namespace {

// Counts what is sent, whoever sends it.
class CountedReply final : public net::PassingReply {
 public:
  CountedReply(Reply reply, std::shared_ptr<Counters> counters)
      : PassingReply(std::move(reply)), counters_(std::move(counters)) {}
  ~CountedReply() override {
    if (streams_) --counters_->streams;
  }

  void Send(net::HttpResponse response) override {
    counters_->Count(response.status);
    PassingReply::Send(std::move(response));
  }
  void Begin(const net::HttpResponse& head) override {
    counters_->Count(head.status);
    if (!std::exchange(streams_, true)) ++counters_->streams;
    PassingReply::Begin(head);
  }

 private:
  const std::shared_ptr<Counters> counters_;
  bool streams_ = false;
};

Routes WithDocument(const Context& context, const std::string& version) {
  Routes routes = AllRoutes(context);
  const auto document = std::make_shared<std::string>();
  routes.push_back({"GET",
                    "/v1/openapi.json",
                    "getOpenApi",
                    "This document",
                    "",
                    {{200, "OpenAPI 3.1", {"Document"}}},
                    Answering([document](Call&) {
                      net::HttpResponse response;
                      response.fields.Add("Content-Type", "application/json");
                      response.body = *document;
                      return response;
                    }),
                    {},
                    {},
                    Admits::kEverybody});
  *document = OpenApiText(routes, version);
  return routes;
}

class Server final : public Api {
 public:
  Server(const Context& context, const ApiOptions& options)
      : context_(context),
        router_(WithDocument(context, options.version)),
        gate_(router_, *context.tokens),
        requests_(std::make_shared<Slots>(
            Slots::Limits{options.work.threads + options.work.waiting, options.work.threads / 4})),
        pool_(std::in_place, options.work) {}
  ~Server() override {
    server_.reset();
    pool_.reset();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status Listen(const ApiOptions& options);
  std::string url() const override { return "http://" + server_->address(); }

 private:
  void Handle(net::HttpRequest request, const Reply& reply);

  const Context context_;
  const Router router_;
  const Gate gate_;
  const std::shared_ptr<Slots> requests_;  // that are being worked on
  std::optional<net::WorkerPool> pool_;
  std::unique_ptr<net::HttpServer> server_;
};

Status Server::Listen(const ApiOptions& options) {
  TRY_ASSIGN(server_, net::HttpServer::Start(
                          options.address, options.limits,
                          [this](net::HttpRequest request, const Reply& reply) {
                            Handle(std::move(request), reply);
                          },
                          [this](net::HttpRequest& request) {
                            auto refused = gate_.Check(request);
                            if (refused) ++context_.counters->refused;
                            return refused;
                          }));
  return {};
}

void Run(const Route& route, Call& call, const Reply& reply) {
  try {
    route.handler(call, reply);
  } catch (...) {  // out of memory, or worse: of this one request
    reply->Send(Problem(500, "IO_ERROR", "something failed in the server"));
  }
}

net::HttpResponse Busy(std::uint16_t status) {
  net::HttpResponse busy = Problem(status, "LIMIT_EXCEEDED", "too many requests at a time");
  busy.fields.Add("Retry-After", "1");
  return busy;
}

void Server::Handle(net::HttpRequest request, const Reply& reply) {
  auto admitted = std::any_cast<Admitted>(std::move(request.badge));
  const auto call = std::make_shared<Call>();
  call->request = std::move(request);
  call->parameters = std::move(admitted.parameters);
  call->caller = std::move(admitted.caller);
  const Reply counted = std::make_shared<CountedReply>(reply, context_.counters);
  const Route& route = *admitted.route;
  const std::shared_ptr<void> slot = requests_->Take(call->caller.user);
  if (!slot) return counted->Send(Busy(429));
  if (!pool_->Submit([&route, call, counted, slot] { Run(route, *call, counted); })) {
    ++context_.counters->busy;
    counted->Send(Busy(503));
  }
}

}  // namespace

Routes AllRoutes(const Context& context) {
  Routes routes;
  AddConversationRoutes(routes, context);
  AddSandboxRoutes(routes, context);
  AddPreviewRoutes(routes, context);
  AddInsideRoutes(routes, context);
  AddExecRoutes(routes, context);
  AddTerminalRoutes(routes, context);
  AddFileRoutes(routes, context);
  AddArchiveRoutes(routes, context);
  AddChangeRoutes(routes, context);
  AddToolRoutes(routes, context);
  AddMcpRoutes(routes, context);
  AddApprovalRoutes(routes, context);
  AddAuditRoutes(routes, context);
  AddAuditChartRoutes(routes, context);
  AddAccountRoutes(routes, context);
  AddSessionRoutes(routes, context);
  AddDashboardRoutes(routes, context);
  AddHealthRoutes(routes, context);
  return routes;
}

Result<std::unique_ptr<Api>> Api::Start(const Context& context, const ApiOptions& options) {
  auto server = std::make_unique<Server>(context, options);
  TRY(server->Listen(options));
  return std::unique_ptr<Api>(std::move(server));
}

}  // namespace cordon::serve
