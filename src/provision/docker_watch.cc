#include "provision/docker_watch.h"

#include <utility>

#include "provision/docker_container.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenTries{500}, kBetweenLooks{10'000};
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

}  // namespace

DockerWatch::DockerWatch(const DockerApi& api, std::string label, Driver::OnDeath died)
    : api_(api), label_(std::move(label)), died_(std::move(died)) {
  thread_ = std::thread([this] { Work(); });
}

DockerWatch::~DockerWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    if (events_) events_->Cancel();
  }
  end_.notify_all();
  thread_.join();
}

void DockerWatch::Expect(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  expected_.insert(id);
}

void DockerWatch::Forget(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  expected_.erase(id);
}

void DockerWatch::Died(const SandboxId& id) {
  {
    const std::lock_guard lock(mutex_);
    if (expected_.erase(id) == 0) return;
  }
  died_(id);
}

bool DockerWatch::Pause() {
  std::unique_lock lock(mutex_);
  return !end_.wait_for(lock, kBetweenTries, [this] { return ending_; });
}

void DockerWatch::Work() {
  do {
    Listen();
  } while (Pause());
}

void DockerWatch::Listen() {
  Result<std::unique_ptr<net::HttpIncoming>> opened = api_.Events(label_);
  if (!opened) return;
  const std::shared_ptr<net::HttpIncoming> events = std::move(*opened);
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    events_ = events;
  }
  Compare();
  std::string held;
  while (held.size() < kLongestLine) {
    const Result<std::optional<std::string>> piece = events->Next(kBetweenLooks);
    if (!piece && piece.error().code == ErrorCode::kTimeout) {
      Compare();  // engines forget events as well
      continue;
    }
    if (!piece || !*piece) break;
    held += **piece;
    for (std::size_t end = held.find('\n'); end != std::string::npos; end = held.find('\n')) {
      TakeLine(std::string_view(held).substr(0, end));
      held.erase(0, end + 1);
    }
  }
  const std::lock_guard lock(mutex_);
  events_.reset();
}

void DockerWatch::Compare() {
  std::set<SandboxId> missing;
  {
    const std::lock_guard lock(mutex_);
    missing = expected_;  // before the list: what is made meanwhile is in neither
  }
  const Result<json::array> listed = api_.List(label_);
  if (!listed) return;
  for (const json::value& one : *listed) {
    if (!one.is_object()) continue;
    const std::string state = TextAt(one.get_object(), "State");
    const auto id = SandboxId::Parse(TextAt(ObjectAt(one.get_object(), "Labels"), kIdLabel));
    if (id && state != "exited" && state != "dead" && state != "removing") missing.erase(*id);
  }
  for (const SandboxId& id : missing) Died(id);
}

void DockerWatch::TakeLine(std::string_view line) {
  boost::system::error_code failed;
  const json::value event = json::parse(line, failed);
  if (failed || !event.is_object()) return;
  const json::object& object = event.get_object();
  const std::string action = TextAt(object, "Action");
  if (action != "die") return;
  const auto id =
      SandboxId::Parse(TextAt(ObjectAt(ObjectAt(object, "Actor"), "Attributes"), kIdLabel));
  if (id) Died(*id);
}

}  // namespace cordon::provision
