// preview_proxy PORT: the preview proxy alone, in front of a server of this machine at PORT as if
// it were in a sandbox. Prints where it listens and the host name to ask for; ends with its input.
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "platform/loopback.h"
#include "preview/proxy.h"

namespace cordon {
namespace {

Error Nothing() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  return error;
}

// Knows how to connect, and nothing else.
class Dialler final : public provision::Driver {
 public:
  std::string_view name() const override { return "bench"; }
  Status Probe() override { return {}; }
  Result<provision::Facts> Create(const provision::Terms&) override { return Nothing(); }
  Result<std::vector<provision::Found>> List() override { return Nothing(); }
  Result<provision::Facts> Adopt(const SandboxId&) override { return Nothing(); }
  Status Destroy(const SandboxId&) override { return {}; }
  Result<provision::Ending> Autopsy(const SandboxId&) override { return Nothing(); }
  Status Pause(const SandboxId&) override { return {}; }
  Status Resume(const SandboxId&) override { return {}; }
  Result<std::unique_ptr<provision::Exec>> Start(const SandboxId&,
                                                 const provision::ExecTerms&) override {
    return Nothing();
  }
  Result<provision::Usage> Inspect(const SandboxId&) override { return provision::Usage{}; }
  Status Signal(const SandboxId&, std::uint32_t, int) override { return {}; }
  Result<platform::UniqueFd> Connect(const SandboxId&, std::uint16_t port) override {
    return platform::DialLoopback(port, std::chrono::seconds(1));
  }
  Result<provision::FileAccess> Files(const SandboxId&) override { return Nothing(); }
  void Watch(OnDeath) override {}
};

class OnePublicSandbox final : public preview::Backend {
 public:
  Result<store::Sandbox> Look(const SandboxId& id) override { return Of(id); }
  Result<provision::Sandboxes::Lease> Use(std::string_view, const SandboxId& id) override {
    return provision::Sandboxes::Lease{Of(id), driver_, driver_};
  }

 private:
  static store::Sandbox Of(const SandboxId& id) {
    store::Sandbox sandbox{id};
    sandbox.user = "somebody";
    sandbox.state = store::SandboxState::kReady;
    sandbox.visibility = store::Sandbox::Visibility::kPublic;
    return sandbox;
  }
  const std::shared_ptr<provision::Driver> driver_ = std::make_shared<Dialler>();
};

int Run(std::uint16_t port) {
  preview::ProxyParts parts;
  parts.backend = std::make_shared<OnePublicSandbox>();
  parts.user_of = [](std::string_view) { return std::nullopt; };
  parts.now = [] { return preview::UnixSeconds{0}; };
  parts.key = preview::AccessKey("bench");
  parts.urls.mode = preview::Mode::kProduction;
  parts.urls.domain = "bench.test";
  parts.urls.usual_port = port;
  parts.address = {"127.0.0.1", 0};
  const auto proxy = preview::Proxy::Start(std::move(parts));
  if (!proxy) {
    std::cerr << proxy.error().detail << '\n';
    return EXIT_FAILURE;
  }
  std::cout << (*proxy)->port() << " preview-" << std::string(SandboxId::kLength, 'a')
            << ".bench.test\n"
            << std::flush;
  for (std::string line; std::getline(std::cin, line);) {
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace cordon

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: preview_proxy PORT\n";
    return EXIT_FAILURE;
  }
  return cordon::Run(static_cast<std::uint16_t>(std::strtoul(arguments[1], nullptr, 10)));
}
