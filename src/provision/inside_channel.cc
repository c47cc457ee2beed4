#include "provision/inside_channel.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Removing or walking a large tree takes its time, in silence.
constexpr milliseconds kPatience{120'000};
constexpr std::size_t kMostFirst = 4096;
constexpr std::size_t kMostMembers = 3;

Error Misbehaved(std::string_view detail) {
  Error error;
  error.op = "inside";
  error.detail = detail;
  return error;
}

// Counts who uses a channel.
class Use {
 public:
  explicit Use(std::atomic<int>& users) : users_(users) { ++users_; }
  ~Use() { --users_; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<int>& users_;
};

}  // namespace

Result<std::shared_ptr<InsideChannel>> InsideChannel::Open(std::unique_ptr<ToolStream> stream,
                                                           const confine::RootOptions& options) {
  std::shared_ptr<InsideChannel> channel(new InsideChannel(std::move(stream)));
  TRY(channel->Ask(inside::FieldWriter(inside::FileOp::kBegin).Put(options).Take(), kMostFirst));
  return channel;
}

Error InsideChannel::Broken(Error why) {
  broken_ = true;
  return why;
}

Status InsideChannel::Send(std::string_view request) {
  std::string all;
  {
    const std::lock_guard lock(releasing_);
    if (!released_.empty()) {
      inside::FieldWriter release(inside::FileOp::kRelease);
      for (const std::uint64_t number : released_) release.Number(number);
      released_.clear();
      all = inside::Framed(release.Take());
    }
  }
  all += inside::Framed(request);
  Status sent = stream_->Send(all);
  if (sent) return sent;
  ended_ = true;
  return Broken(std::move(sent.error()));
}

Result<std::string> InsideChannel::Receive(std::size_t most) {
  inside::MessageReader reader(most);
  const auto end = Clock::now() + kPatience;
  while (true) {
    auto whole = reader.Next();
    if (!whole) return Broken(std::move(whole.error()));
    if (*whole) {
      // It was asked one thing, and says nothing of its own.
      if (!reader.empty()) return Broken(Misbehaved("the sandbox says more than it was asked"));
      return std::move(**whole);
    }
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    Result<std::string> bytes = stream_->Receive(std::max(left, milliseconds(1)));
    if (!bytes) return Broken(std::move(bytes.error()));
    if (bytes->empty()) {
      ended_ = reader.empty();
      return Broken(Misbehaved("what reaches the sandbox's files has ended"));
    }
    reader.Take(*bytes);
  }
}

Result<InsideAnswer> InsideChannel::Ask(std::string request, std::size_t most) {
  const Use use(users_);
  const std::lock_guard lock(mutex_);
  if (broken_) return Misbehaved("what reaches the sandbox's files has ended");
  TRY(Send(request));
  request = {};
  TRY_ASSIGN(std::string answer, Receive(most + 1));
  inside::FieldReader fields(answer);
  const auto kind = fields.Choice(inside::Answer::kError);
  if (!fields.good()) return Broken(Misbehaved("the sandbox's answer cannot be read"));
  if (kind == inside::Answer::kDone) return InsideAnswer{std::move(answer)};
  Error error = fields.TakeError();
  if (!fields.complete()) return Broken(Misbehaved("the sandbox's answer cannot be read"));
  return error;
}

Status InsideChannel::Tell(std::string_view request) {
  const Use use(users_);
  const std::lock_guard lock(mutex_);
  if (broken_) return Misbehaved("what reaches the sandbox's files has ended");
  return Send(request);
}

void InsideChannel::Release(std::uint64_t number) {
  const std::lock_guard lock(releasing_);
  released_.push_back(number);
}

bool InsideChannel::quiet() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return true;  // somebody speaks with it, and will see
  if (broken_) return false;
  const Result<std::string> bytes = stream_->Receive(milliseconds(0));
  if (!bytes && bytes.error().code == ErrorCode::kTimeout) return true;
  broken_ = true;
  return false;
}

Result<std::shared_ptr<InsideChannel>> InsideCrew::Member() {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(members_, [](const auto& one) { return !one->quiet(); });
    const auto least =
        std::min_element(members_.begin(), members_.end(),
                         [](const auto& a, const auto& b) { return a->users() < b->users(); });
    const bool full = members_.size() + starting_ >= kMostMembers;
    if (least != members_.end() && ((*least)->users() == 0 || full)) return *least;
    // While the first are being started, who comes meanwhile starts one too.
    ++starting_;
  }
  Result<std::unique_ptr<ToolStream>> stream = start_();
  Result<std::shared_ptr<InsideChannel>> made =
      stream ? InsideChannel::Open(std::move(*stream), options_)
             : Result<std::shared_ptr<InsideChannel>>(std::move(stream.error()));
  const std::lock_guard lock(mutex_);
  --starting_;
  if (made && members_.size() < kMostMembers) members_.push_back(*made);
  return made;
}

Result<InsideCrew::Told> InsideCrew::Question(const std::string& request, std::size_t most) {
  for (int tried = 0;; ++tried) {
    TRY_ASSIGN(std::shared_ptr<InsideChannel> channel, Member());
    Result<InsideAnswer> answer = channel->Ask(request, most);
    if (answer) return Told{std::move(channel), std::move(*answer)};
    if (!channel->ended() || tried == 1) return std::move(answer.error());
  }
}

}  // namespace cordon::provision
