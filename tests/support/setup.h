// Builds the file tree that a case describes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scratch.h"

namespace cordon::testing {

// One step; paths are relative to the scratch directory.
struct SetupStep {
  std::string op;  // dir, file, symlink, fifo, socket, hardlink, bind, tmpfs, procfs, casefold_dir
  std::string path;
  std::string target;
  std::string content;
};

// Puts the absolute paths in for ${SCRATCH} and ${ROOT}.
std::string Substitute(std::string text, const std::string& scratch, const std::string& root);

// Carries the steps out in order, making missing parents. Paths longer than
// PATH_MAX work, and links on the way are followed. Empty on success, else what
// went wrong.
std::string Build(const Scratch& scratch, const std::vector<SetupStep>& steps);

// `root/` and `outside/secret`, which every case has, then `steps`.
std::string BuildCase(const Scratch& scratch, const std::vector<SetupStep>& steps);

inline SetupStep Dir(std::string path) { return {"dir", std::move(path), "", ""}; }
inline SetupStep FileWith(std::string path, std::string content) {
  return {"file", std::move(path), "", std::move(content)};
}
inline SetupStep Link(std::string path, std::string target) {
  return {"symlink", std::move(path), std::move(target), ""};
}

}  // namespace cordon::testing
