#include "serve/journals.h"

#include "confine/ambient_authority.h"
#include "confine/root.h"

namespace cordon::serve {
namespace {

// Of one sandbox; there may be many.
constexpr undo::Limits kKept{std::uint64_t{256} << 20, std::size_t{16} << 20, 20'000};

}  // namespace

Result<std::shared_ptr<undo::Journal>> Journals::Open(const SandboxId& id) const {
  if (directory_.empty()) return std::shared_ptr<undo::Journal>();
  return undo::Journal::Open(directory_ + "/" + id.text(), kKept,
                             confine::AmbientAuthority::OfThisProcess());
}

void Journals::Remove(const SandboxId& id) const {
  if (directory_.empty()) return;
  const auto root =
      confine::Root::OpenAmbient(directory_, {}, confine::AmbientAuthority::OfThisProcess());
  // One that was never written to is not there, and what cannot be removed is only room.
  if (root) static_cast<void>(root->RemoveAll(id.text()));
}

}  // namespace cordon::serve
