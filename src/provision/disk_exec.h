// A program that is watched for what it does to its sandbox's disk, and told why it was stopped.
#pragma once

#include <memory>

#include "provision/disk_watch.h"
#include "provision/driver.h"

namespace cordon::provision {

// `run` may be null: then nothing is added.
std::unique_ptr<Exec> WithDiskWatch(std::unique_ptr<DiskWatch::Run> run,
                                    std::unique_ptr<Exec> exec);

}  // namespace cordon::provision
