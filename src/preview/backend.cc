#include "preview/backend.h"

#include <utility>

#include "base/try.h"

namespace cordon::preview {
namespace {

class RealBackend final : public Backend {
 public:
  RealBackend(std::shared_ptr<store::Store> store, std::shared_ptr<provision::Sandboxes> sandboxes)
      : store_(std::move(store)), sandboxes_(std::move(sandboxes)) {}

  Result<store::Sandbox> Look(const SandboxId& id) override {
    TRY_ASSIGN(store::Sandbox found, store_->FindAnySandbox(id));
    if (found.user.empty() || found.pooled == store::Sandbox::Pooled::kWaiting) {
      Error error;
      error.code = ErrorCode::kNotFound;
      error.op = "preview";
      return error;
    }
    return found;
  }

  Result<provision::Sandboxes::Lease> Use(std::string_view user, const SandboxId& id) override {
    return sandboxes_->Use(user, id);
  }

 private:
  const std::shared_ptr<store::Store> store_;
  const std::shared_ptr<provision::Sandboxes> sandboxes_;
};

}  // namespace

std::shared_ptr<Backend> MakeBackend(std::shared_ptr<store::Store> store,
                                     std::shared_ptr<provision::Sandboxes> sandboxes) {
  return std::make_shared<RealBackend>(std::move(store), std::move(sandboxes));
}

}  // namespace cordon::preview
