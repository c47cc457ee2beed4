// A program in a local sandbox, with its streams.
#pragma once

#include <memory>

#include "platform/unique_fd.h"
#include "provision/driver.h"
#include "sandbox/resident.h"

namespace cordon::provision {

// `log`: where a detached program without a terminal writes. Errors: as sandbox::Resident::Run.
Result<std::unique_ptr<Exec>> StartLocalExec(std::shared_ptr<sandbox::Resident> resident,
                                             const ExecTerms& terms, platform::UniqueFd log);

}  // namespace cordon::provision
