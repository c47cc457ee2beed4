// Engines that say they did what they were asked, and did not.
#include "provision/docker_isolation.h"

#include <gtest/gtest.h>

#include <functional>

#include "net/http_server.h"
#include "provision/docker_api.h"
#include "provision/docker_driver.h"
#include "tests/tree.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

SandboxId AnId() { return *SandboxId::Parse("abcdefghijklmnopqrstuvwxyz"); }

ContainerPlan APlan(const std::string& runtime) {
  DockerSettings settings;
  settings.runtime = runtime;
  settings.image = "image:1";
  const Terms terms{AnId(), "",
                    {},     {},
                    "none", IsGvisorRuntime(runtime) ? Isolation::kGvisor : Isolation::kContainer};
  return *Plan(settings, terms, {"/state/workspace", "/state/log", "/tools"}, 1000);
}

// What an honest engine answers.
json::object Honest(const ContainerPlan& plan) {
  const json::object body = CreateBody(plan);
  json::object host = body.at("HostConfig").as_object();
  host["MaskedPaths"] = json::array{"/proc/kcore"};
  json::array mounts;
  for (const json::value& one : host.at("Mounts").as_array()) {
    const json::object& mount = one.as_object();
    mounts.push_back(json::object{{"Type", "bind"},
                                  {"Source", mount.at("Source")},
                                  {"Destination", mount.at("Target")},
                                  {"RW", !IsTrueAt(mount, "ReadOnly")}});
  }
  return {{"Id", "c0ffee"},
          {"State", {{"Status", "running"}}},
          {"Config", {{"User", body.at("User")}, {"Labels", body.at("Labels")}}},
          {"HostConfig", host},
          {"Mounts", mounts}};
}

inside::View HonestView(const ContainerPlan& plan) {
  inside::View view;
  view.user = plan.user;
  view.capabilities = "0000 0000 0000";
  view.seccomp = "2";
  view.no_new_privileges = view.read_only_root = true;
  view.interfaces = {"lo"};
  if (IsGvisorRuntime(plan.runtime)) view.kernel_log = "[    0.000000] Starting gVisor...";
  return view;
}

TEST(DockerIsolationTest, AnHonestEngineIsBelieved) {
  for (const char* runtime : {"runc", "runsc"}) {
    const ContainerPlan plan = APlan(runtime);
    const Status word = CheckEngineWord(Honest(plan), plan);
    EXPECT_TRUE(word) << word.error().detail;
    const auto facts = CheckInside(Honest(plan), HonestView(plan), plan);
    ASSERT_TRUE(facts) << facts.error().detail;
    EXPECT_EQ(facts->isolation, plan.terms.isolation);
    EXPECT_EQ(facts->handle, "c0ffee");
  }
}

TEST(DockerIsolationTest, EverySilentOmissionIsFound) {
  using Change = std::function<void(json::object & inspected, json::object & host)>;
  const std::vector<std::pair<const char*, Change>> lies = {
      {"runtime", [](auto&, auto& host) { host["Runtime"] = "crun"; }},
      {"podman's word", [](auto& all, auto&) { all["OCIRuntime"] = "crun"; }},
      {"user", [](auto& all, auto&) { all["Config"].as_object()["User"] = ""; }},
      {"privileged", [](auto&, auto& host) { host["Privileged"] = true; }},
      {"capabilities", [](auto&, auto& host) { host["CapDrop"] = nullptr; }},
      {"more capabilities", [](auto&, auto& host) { host["CapAdd"] = json::array{"SYS_ADMIN"}; }},
      {"privileges", [](auto&, auto& host) { host["SecurityOpt"] = json::array(); }},
      {"filter",
       [](auto&, auto& host) {
         host["SecurityOpt"] = json::array{"no-new-privileges", "seccomp=unconfined"};
       }},
      {"root", [](auto&, auto& host) { host.erase("ReadonlyRootfs"); }},
      {"network", [](auto&, auto& host) { host["NetworkMode"] = "host"; }},
      {"bridge", [](auto&, auto& host) { host["NetworkMode"] = "default"; }},
      {"ports",
       [](auto&, auto& host) {
         host["PortBindings"] = {{"80/tcp", json::array()}};
       }},
      {"processes seen", [](auto&, auto& host) { host["PidMode"] = "host"; }},
      {"memory shared", [](auto&, auto& host) { host["IpcMode"] = "container:x"; }},
      {"memory", [](auto&, auto& host) { host["Memory"] = 0; }},
      {"swap", [](auto&, auto& host) { host["MemorySwap"] = -1; }},
      {"processes", [](auto&, auto& host) { host["PidsLimit"] = nullptr; }},
      {"cpus", [](auto&, auto& host) { host["NanoCpus"] = 0; }},
      {"devices", [](auto&, auto& host) { host["Devices"] = json::array{json::object()}; }},
      {"masks", [](auto&, auto& host) { host["MaskedPaths"] = json::array(); }},
      {"mounts",
       [](auto& all, auto&) {
         all["Mounts"].as_array().push_back(json::object{
             {"Type", "bind"}, {"Source", "/"}, {"Destination", "/host"}, {"RW", true}});
       }},
      {"a volume of the image",
       [](auto& all, auto&) {
         all["Mounts"].as_array().push_back(
             json::object{{"Type", "volume"}, {"Destination", "/data"}, {"RW", true}});
       }},
      {"tools can be written",
       [](auto& all, auto&) { all["Mounts"].as_array().back().as_object()["RW"] = true; }},
  };
  const ContainerPlan plan = APlan("runsc");
  for (const auto& [what, change] : lies) {
    json::object inspected = Honest(plan);
    change(inspected, inspected["HostConfig"].as_object());
    const Status word = CheckEngineWord(inspected, plan);
    ASSERT_FALSE(word) << what;
    EXPECT_EQ(word.error().code, ErrorCode::kSandboxRequired);
  }
  EXPECT_FALSE(CheckEngineWord({}, plan));
}

TEST(DockerIsolationTest, WhatIsSeenInsideIsBelievedMore) {
  const ContainerPlan gvisor = APlan("runsc");
  inside::View view = HonestView(gvisor);
  view.kernel_log = "[    0.000000] Linux version 6.1";
  EXPECT_EQ(CheckInside(Honest(gvisor), view, gvisor).error().code, ErrorCode::kSandboxRequired);
  const ContainerPlan plan = APlan("runc");
  const std::vector<std::function<void(inside::View&)>> flaws = {
      [](auto& one) { one.user = 0; },
      [](auto& one) { one.capabilities = "00000000a80425fb"; },
      [](auto& one) { one.capabilities = ""; },
      [](auto& one) { one.seccomp = "0"; },
      [](auto& one) { one.no_new_privileges = false; },
      [](auto& one) { one.read_only_root = false; },
      [](auto& one) { one.interfaces.emplace_back("eth0"); }};
  for (const auto& flaw : flaws) {
    view = HonestView(plan);
    flaw(view);
    EXPECT_EQ(CheckInside(Honest(plan), view, plan).error().code, ErrorCode::kSandboxRequired);
  }
}

// Of what is seen inside, gVisor's own filter alone is taken on trust.
TEST(DockerIsolationTest, GvisorIsHeldToTheSame) {
  const ContainerPlan plan = APlan("runsc");
  inside::View view = HonestView(plan);
  view.seccomp = "0";
  EXPECT_TRUE(CheckInside(Honest(plan), view, plan));
  view.no_new_privileges = false;
  EXPECT_FALSE(CheckInside(Honest(plan), view, plan));
  view = HonestView(plan);
  view.read_only_root = false;
  EXPECT_FALSE(CheckInside(Honest(plan), view, plan));
}

// As Podman does: it takes the order for gVisor, says nothing, and runs crun.
TEST(DockerIsolationTest, AnEngineThatPassesOverTheRuntimeGetsNoSandbox) {
  const testing::Tree tree;
  std::mutex mutex;
  json::object asked;
  bool removed = false;
  auto engine = net::HttpServer::Start(
      {"", 0, tree.At("engine.sock")}, {},
      [&](const net::HttpRequest& request, const std::shared_ptr<net::HttpReply>& reply) {
        const std::lock_guard lock(mutex);
        if (request.path.ends_with("/containers/create")) {
          asked = json::parse(request.body).as_object();
          return reply->Send({201, {}, R"({"Id":"c0ffee"})"});
        }
        if (request.method == "DELETE") {
          removed = true;
          return reply->Send({204, {}, ""});
        }
        if (request.path.ends_with("/json") && request.method == "GET") {
          const ContainerPlan plan = APlan("runsc");
          json::object told = Honest(plan);
          told["Config"] = json::object{{"User", asked["User"]}, {"Labels", asked["Labels"]}};
          told["OCIRuntime"] = "crun";
          return reply->Send({200, {}, json::serialize(told)});
        }
        reply->Send({204, {}, ""});
      });
  ASSERT_TRUE(engine);
  DockerSettings settings;
  settings.socket = tree.At("engine.sock");
  settings.runtime = "runsc";
  settings.image = "image:1";
  settings.directory = tree.At("state");
  settings.tools = "/tools";
  auto driver = MakeDockerDriver(settings);
  ASSERT_TRUE(driver) << driver.error().detail;
  const auto facts = (*driver)->Create({AnId(), "", {}, {}, "none", Isolation::kGvisor});
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::kSandboxRequired);
  EXPECT_NE(facts.error().detail.find("crun"), std::string::npos) << facts.error().detail;
  EXPECT_TRUE(tree.Names("state").empty());
  const std::lock_guard lock(mutex);
  EXPECT_TRUE(removed);
  EXPECT_EQ(asked["HostConfig"].at("Runtime"), "runsc");
  EXPECT_EQ(asked["HostConfig"].at("NetworkMode"), "none");
}

TEST(DockerContainerTest, TermsThatCannotBeAreRefused) {
  DockerSettings settings;
  settings.image = "image:1";
  const auto code = [&](const std::function<void(Terms&)>& change) {
    Terms terms{AnId(), "", {}, {}, "none", Isolation::kContainer};
    change(terms);
    const auto plan = Plan(settings, terms, {}, 1000);
    return plan ? ErrorCode::kUnknownTool : plan.error().code;
  };
  EXPECT_EQ(code([](Terms& terms) { terms.network = "full"; }), ErrorCode::kUnsupported);
  EXPECT_EQ(code([](Terms& terms) { terms.network = "allow:a.org"; }), ErrorCode::kUnsupported);
  EXPECT_EQ(code([](Terms& terms) { terms.resources.memory = 1; }), ErrorCode::kInvalidArguments);
  EXPECT_EQ(code([](Terms& terms) { terms.resources.cpus = -1; }), ErrorCode::kInvalidArguments);
  EXPECT_EQ(code([](Terms& terms) { terms.resources.processes = 1; }),
            ErrorCode::kInvalidArguments);
  EXPECT_EQ(code([](Terms& terms) { terms.environment = {"A"}; }), ErrorCode::kInvalidArguments);
  settings.image = "";
  EXPECT_EQ(code([](Terms&) {}), ErrorCode::kInvalidArguments);
}

}  // namespace
}  // namespace cordon::provision
