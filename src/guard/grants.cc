#include "guard/grants.h"

#include <utility>

#include "path/posix.h"

namespace cordon::guard {

void Grants::AddDirectory(confine::Root directory) {
  auto kept = std::make_shared<const confine::Root>(std::move(directory));
  const std::lock_guard lock(mutex_);
  for (const auto& known : directories_) {
    if (known->identity() == kept->identity() && known->real_path() == kept->real_path()) return;
  }
  directories_.push_back(std::move(kept));
}

std::optional<Covered> Grants::Covering(const confine::Root& host,
                                        std::string_view real_path) const {
  std::vector<std::shared_ptr<const confine::Root>> directories;
  {
    const std::lock_guard lock(mutex_);
    directories = directories_;
  }
  for (const auto& directory : directories) {
    std::string_view below;
    if (!path::StripRoot(real_path, directory->real_path(), below)) continue;
    const auto now = host.Stat(directory->real_path(), confine::FinalSymlink::kNoFollow);
    if (!now || now->identity != directory->identity()) continue;
    return Covered{directory, below.empty() ? "." : std::string(below)};
  }
  return std::nullopt;
}

void Grants::TrustTools(policy::ToolKind kind) {
  const std::lock_guard lock(mutex_);
  trusted_.set(static_cast<std::size_t>(kind));
}

bool Grants::Trusts(policy::ToolKind kind) const {
  const std::lock_guard lock(mutex_);
  return trusted_.test(static_cast<std::size_t>(kind));
}

}  // namespace cordon::guard
