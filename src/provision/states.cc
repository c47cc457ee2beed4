#include "provision/states.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::provision {

using store::Sandbox;
using store::SandboxState;

States::States(std::shared_ptr<store::Store> store, Clock now, Changed changed)
    : store_(std::move(store)), now_(std::move(now)), changed_(std::move(changed)) {}

void States::Tell(const Sandbox& sandbox) const {
  if (changed_) changed_(sandbox);
}

Status States::Add(const Sandbox& sandbox, std::size_t most) {
  TRY(store_->AddSandbox(sandbox, most));
  Tell(sandbox);
  return {};
}

Result<Sandbox> States::Move(const SandboxId& id, const std::vector<SandboxState>& from,
                             const std::function<void(Sandbox&)>& edit) {
  while (true) {
    TRY_ASSIGN(Sandbox sandbox, store_->FindAnySandbox(id));
    const SandboxState before = sandbox.state;
    const bool fits = std::find(from.begin(), from.end(), before) != from.end();
    edit(sandbox);
    sandbox.changed = now_();
    Status changed = store_->Change(sandbox, from);
    if (changed) {
      ++sandbox.revision;
      if (sandbox.state != before) Tell(sandbox);
      return sandbox;
    }
    // Somebody was quicker: what is there now is changed, if it still may be.
    if (!fits || changed.error().code != ErrorCode::kStaleFile) return std::move(changed.error());
  }
}

Result<std::vector<Sandbox>> States::All(store::SandboxFilter filter) {
  constexpr std::size_t kPage = 500;
  filter.most = kPage;
  std::vector<Sandbox> all;
  while (true) {
    TRY_ASSIGN(std::vector<Sandbox> page, store_->ListSandboxes(filter));
    const bool last = page.size() < kPage;
    std::move(page.begin(), page.end(), std::back_inserter(all));
    if (last) return all;
    filter.after = all.back().id;
  }
}

}  // namespace cordon::provision
