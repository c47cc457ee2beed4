// Sockets whose process has died.
#pragma once

#include "consent/approval_directory.h"

namespace cordon::consent {

// Removes those that nobody listens at; never one that is merely busy.
void RemoveStaleSockets(const ApprovalDirectory& directory);

}  // namespace cordon::consent
