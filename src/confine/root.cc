#include "confine/root.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root_elsewhere.h"
#include "confine/root_state.h"
#include "path/posix.h"
#include "platform/host.h"
#include "platform/open.h"

namespace cordon::confine {
namespace {

// A spelling with ".." may mean another directory by text than it did on disk.
bool IsPlainSpelling(std::string_view spelling) {
  path::Components components(spelling);
  for (auto part = components.Next(); !part.empty(); part = components.Next()) {
    if (part == "..") return false;
  }
  return true;
}

Result<Resolver> ChooseResolver(int root, Resolver wanted) {
  if (wanted == Resolver::kWalk) return Resolver::kWalk;
  const Status kernel = platform::CheckOpenLinkFree(root);
  if (kernel) return Resolver::kOpenat2;
  if (wanted == Resolver::kAuto) return Resolver::kWalk;
  Error error = kernel.error();
  error.code = ErrorCode::kUnsupported;
  error.detail = "openat2 is not available here: " + error.detail;
  return error;
}

// All of a root but its options, and with one spelling.
Result<std::unique_ptr<RootState>> HoldDirectory(platform::UniqueFd directory,
                                                 std::string real_path,
                                                 const RootOptions& options) {
  auto state = std::make_unique<RootState>();
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(directory.get()));
  state->identity = stat.identity;
  if (auto mount = platform::MountIdOf(directory.get())) state->mount = *mount;
  TRY_ASSIGN(state->resolver, ChooseResolver(directory.get(), options.resolver));
  state->directory = std::move(directory);
  state->real_path = std::move(real_path);
  state->spellings.push_back(state->real_path);
  return state;
}

}  // namespace

Result<Root> Root::OpenAmbient(std::string_view host_directory, RootOptions options,
                               AmbientAuthority /*authority*/) {
  TRY_ASSIGN(platform::HostDirectory host, platform::OpenHostDirectory(host_directory));
  TRY_ASSIGN(auto state,
             HoldDirectory(std::move(host.directory), std::move(host.real_path), options));
  if (IsPlainSpelling(host.spelling)) {
    std::string spelling = "/" + path::CollapseLexically(host.spelling);
    if (spelling != state->real_path) state->spellings.push_back(std::move(spelling));
  }
  if (!options.seen_as.empty()) state->spellings.push_back(options.seen_as);
  state->options = std::move(options);
  return Root(std::move(state));
}

Result<Root> Root::Subroot(std::string_view untrusted, RootOptions options,
                           const Expected& expected) const {
  if (state_->elsewhere) return UnsupportedElsewhere("subroot");
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kList);
  TRY_ASSIGN(
      platform::UniqueFd directory,
      OrStale(expected, resolution.Open({request.text, true}, platform::OpenIntent::kReference,
                                        FinalSymlink::kFollow)));
  TRY(CheckDescriptor(expected, directory.get()));
  const std::string below = path::CollapseLexically(resolution.path());
  std::string real_path = state_->real_path;
  if (!below.empty()) {
    if (!real_path.ends_with('/')) real_path += '/';
    real_path += below;
  }
  TRY_ASSIGN(auto state, HoldDirectory(std::move(directory), std::move(real_path), options));
  if (untrusted.front() == '/' && IsPlainSpelling(untrusted)) {
    std::string spelling = "/" + path::CollapseLexically(untrusted);
    if (spelling != state->real_path) state->spellings.push_back(std::move(spelling));
  }
  state->options = std::move(options);
  return Root(std::move(state));
}

Root Root::OfElsewhere(std::shared_ptr<const RootElsewhere> elsewhere, RootOptions options) {
  auto state = std::make_unique<RootState>();
  state->elsewhere = std::move(elsewhere);
  state->real_path = options.seen_as;
  state->spellings.push_back(options.seen_as);
  state->options = std::move(options);
  return Root(std::move(state));
}

Root::Root(std::unique_ptr<RootState> state) : state_(std::move(state)) {}
Root::Root(Root&&) noexcept = default;
Root& Root::operator=(Root&&) noexcept = default;
Root::~Root() = default;

const std::string& Root::real_path() const { return state_->real_path; }
const std::vector<std::string>& Root::spellings() const { return state_->spellings; }
const RootOptions& Root::options() const { return state_->options; }
Resolver Root::active_resolver() const { return state_->resolver; }
platform::FileIdentity Root::identity() const { return state_->identity; }

Error UnsupportedElsewhere(std::string_view op) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = op;
  error.detail = "this cannot be done where the files are reached from inside a sandbox";
  return error;
}

Result<std::string> ReadAmbientFile(std::string_view host_path, std::size_t limit,
                                    AmbientAuthority /*authority*/) {
  TRY_ASSIGN(platform::UniqueFd fd, platform::OpenHostFile(host_path));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(fd.get()));
  RootState anything;
  anything.options.hard_links = policy::HardLinks::kReadOnly;
  TRY(CheckRegular(anything, stat, WriteStyle::kNone));
  return ReadToEnd(fd.get(), limit);
}

}  // namespace cordon::confine
