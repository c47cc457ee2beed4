#include "store/transaction.h"

#include <utility>

#include "base/try.h"

namespace cordon::store {

Result<Transaction> Transaction::Begin(Connection& connection) {
  TRY(connection.Prepare("BEGIN IMMEDIATE").Run());
  return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

Transaction::~Transaction() {
  if (connection_ == nullptr) return;
  // Some errors have taken it back already; then this one says so, and nothing is lost.
  [[maybe_unused]] const auto done = connection_->Prepare("ROLLBACK").Run();
}

Status Transaction::Commit() {
  TRY(connection_->Prepare("COMMIT").Run());
  connection_ = nullptr;
  return {};
}

}  // namespace cordon::store
