// All of several statements, or none.
#pragma once

#include "cordon/result.h"
#include "store/connection.h"

namespace cordon::store {

// Guarantees: taken back when destroyed, unless Commit has succeeded.
class Transaction {
 public:
  // Takes the right to write at once, so that what is read is still so when it writes.
  static Result<Transaction> Begin(Connection& connection);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;  // null: nothing to take back
};

}  // namespace cordon::store
