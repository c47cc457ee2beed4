#include "provision/docker_relay.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "platform/inside_sandbox.h"

namespace cordon::provision {
namespace {

using platform::Readiness;

constexpr std::size_t kPiece = std::size_t{64} << 10;

}  // namespace

struct DockerRelay::Joined {
  std::unique_ptr<DockerStream> stream;
  platform::UniqueFd local;
  std::string to_program, to_local;
  bool local_reads = true, program_reads = true;  // bytes may still come from there

  bool over() const { return !program_reads && to_local.empty(); }
  void End() {
    local_reads = program_reads = false;
    to_program.clear();
    to_local.clear();
  }

  Readiness FromLocal() const {
    if (!to_program.empty()) return {stream->descriptor(), Readiness::For::kWrite};
    return {local_reads ? local.get() : -1, Readiness::For::kRead};
  }
  Readiness FromProgram() const {
    if (!to_local.empty()) return {local.get(), Readiness::For::kWrite};
    return {program_reads ? stream->descriptor() : -1, Readiness::For::kRead};
  }

  // Whether whoever had the other end of `local` has gone altogether.
  Readiness Gone() const { return {local_reads ? -1 : local.get(), Readiness::For::kHangUp}; }

  static bool Send(int socket, std::string& bytes) {
    const Result<std::size_t> count = platform::SendNow(socket, bytes);
    if (count) bytes.erase(0, *count);
    return count.has_value();
  }
  void MoveFromLocal() {
    if (to_program.empty()) {
      auto bytes = platform::ReadNow(local.get(), kPiece);
      if (bytes && !*bytes) return;
      if (!bytes || (*bytes)->empty()) {
        local_reads = false;
        return stream->EndInput();
      }
      to_program = std::move(**bytes);
    }
    if (!Send(stream->descriptor(), to_program)) End();
  }
  void MoveFromProgram() {
    if (to_local.empty()) {
      auto bytes = platform::ReadNow(stream->descriptor(), kPiece);
      if (bytes && !*bytes) return;
      if (!bytes || (*bytes)->empty()) {
        program_reads = false;
        return;
      }
      stream->frames().Take(**bytes);
      if (!TakeFrames()) return End();
    }
    if (!to_local.empty() && !Send(local.get(), to_local)) End();
  }
  bool TakeFrames() {
    while (true) {
      auto piece = stream->frames().Next();
      if (!piece) return false;
      if (!*piece) return true;
      if ((*piece)->stream == DockerPiece::Stream::kOut) to_local += (*piece)->bytes;
    }
  }
};

Result<std::unique_ptr<DockerRelay>> DockerRelay::Start() {
  std::unique_ptr<DockerRelay> relay(new DockerRelay);
  TRY_ASSIGN(relay->wake_, platform::MakeSocketPair());
  relay->thread_ = std::thread([raw = relay.get()] { raw->Work(); });
  return relay;
}

DockerRelay::~DockerRelay() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  static_cast<void>(platform::SendNow(wake_.other.get(), "."));
  if (thread_.joinable()) thread_.join();
}

void DockerRelay::Join(std::unique_ptr<DockerStream> stream, platform::UniqueFd local,
                       std::string early) {
  auto joined = std::make_unique<Joined>();
  joined->stream = std::move(stream);
  joined->local = std::move(local);
  joined->to_local = std::move(early);
  if (!joined->TakeFrames()) return;  // there may be more of them already
  {
    const std::lock_guard lock(mutex_);
    arriving_.push_back(std::move(joined));
  }
  static_cast<void>(platform::SendNow(wake_.other.get(), "."));
}

void DockerRelay::Work() {
  std::vector<std::unique_ptr<Joined>> all;
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
      std::move(arriving_.begin(), arriving_.end(), std::back_inserter(all));
      arriving_.clear();
    }
    std::vector<Readiness> these = {{wake_.one.get(), Readiness::For::kRead}};
    for (const auto& one : all) {
      these.push_back(one->FromLocal());
      these.push_back(one->FromProgram());
      these.push_back(one->Gone());
    }
    platform::AwaitReady(these, std::nullopt);
    if (these[0].ready) static_cast<void>(platform::ReadNow(wake_.one.get(), kPiece));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (these[3 * i + 1].ready) all[i]->MoveFromLocal();
      if (these[3 * i + 2].ready) all[i]->MoveFromProgram();
      if (these[3 * i + 3].ready) all[i]->End();
    }
    std::erase_if(all, [](const auto& one) { return one->over(); });
  }
}

}  // namespace cordon::provision
