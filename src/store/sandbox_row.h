// A sandbox as a row of its table.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"
#include "store/connection.h"
#include "store/records.h"

namespace cordon::store {

// "SELECT all that ReadSandbox wants FROM sandboxes WHERE …".
std::string SelectSandboxes(std::string_view where);
Result<Sandbox> ReadSandbox(Statement& row);

// Adds it as it is, and makes it its conversation's. Errors: kNotFound when the conversation is
// not there, is another user's, or was deleted.
Status InsertSandbox(Connection& connection, const Sandbox& sandbox);

std::string_view MemoryName(Sandbox::Memory memory);

// Ties the user's conversation to a sandbox. Errors: kNotFound.
Status GiveToConversation(Connection& connection, std::string_view conversation,
                          std::string_view user, const SandboxId& id, Time now);
// From now on it stays, whatever becomes of its sandbox.
Status FoundConversation(Connection& connection, std::string_view conversation, Time now);

// Errors: kLimitExceeded when `user` has `most` sandboxes that have not ended.
Status CheckCap(Connection& connection, std::string_view user, std::size_t most);

}  // namespace cordon::store
