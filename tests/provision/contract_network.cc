// A network that is named, and nothing beside it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "platform/unique_fd.h"
#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

// Something of the host that answers on loopback.
class Site {
 public:
  Site() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), name, size), 0);
    EXPECT_EQ(::listen(listener_.get(), 16), 0);
    EXPECT_EQ(::getsockname(listener_.get(), name, &size), 0);
    port_ = ::ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~Site() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  int port() const { return port_; }

 private:
  void Serve() const {
    for (;;) {
      const platform::UniqueFd visitor(::accept(listener_.get(), nullptr, nullptr));
      if (!visitor.valid()) return;
      char request[1024];
      if (::recv(visitor.get(), request, sizeof request, 0) <= 0) continue;
      const std::string reply =
          "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nthe site\n";
      ::send(visitor.get(), reply.data(), reply.size(), MSG_NOSIGNAL);
    }
  }
  platform::UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
};

class Network : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (!IsSkipped() && !abilities().network_allow_list) {
      GTEST_SKIP() << "this driver has no named networks";
    }
  }
  Terms Allowing(int port) {
    Terms terms = TermsFor(NewId());
    terms.network = "allow:127.0.0.1:" + std::to_string(port);
    return terms;
  }
};

TEST_F(Network, WhatIsNamedIsReached) {
  const Site site;
  const SandboxId id = Made(Allowing(site.port()));
  const Outcome outcome = Sh(id, under_test().FetchScript(site.port()));
  EXPECT_EQ(outcome.end.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("the site"), std::string::npos) << outcome.out;
}

TEST_F(Network, WhatIsNotNamedIsNot) {
  const Site site;
  const Site other;
  const SandboxId id = Made(Allowing(site.port()));
  const Outcome outcome = Sh(id, under_test().FetchScript(other.port()));
  EXPECT_NE(outcome.end.status, 0);
  EXPECT_EQ(outcome.out.find("the site"), std::string::npos) << outcome.out;
}

TEST_F(Network, ItIsReachedAgainAfterARestart) {
  const Site site;
  const Terms terms = Allowing(site.port());
  Own(terms.id);
  {
    auto first = under_test().Another();
    ASSERT_TRUE(first);
    ASSERT_TRUE((*first)->Create(terms));
  }
  ASSERT_TRUE(driver().Adopt(terms.id));
  const Outcome outcome = Sh(terms.id, under_test().FetchScript(site.port()));
  EXPECT_NE(outcome.out.find("the site"), std::string::npos) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace cordon::provision
