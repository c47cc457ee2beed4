#include "guard/offer.h"

#include <algorithm>

#include "path/posix.h"

namespace cordon::guard {

std::optional<std::string> OfferedDirectory(std::string_view real_path, Operation operation,
                                            const std::vector<std::string>& kept) {
  if (!real_path.starts_with('/')) return std::nullopt;
  std::string directory(real_path);
  if (operation != Operation::kList) directory.resize(directory.rfind('/'));
  if (directory.empty() || directory == "/") return std::nullopt;
  const auto lies_below = [&](const std::string& path) {
    std::string_view rest;
    return path::StripRoot(path, directory, rest);
  };
  if (std::any_of(kept.begin(), kept.end(), lies_below)) return std::nullopt;
  return directory;
}

}  // namespace cordon::guard
