// Which entries of an open directory the deny list hides.
#pragma once

#include <string>
#include <string_view>

#include "confine/root_state.h"
#include "cordon/operation.h"

namespace cordon::confine {

// How `directory` compares names, as far as can be known; unknown means any way.
path::NameRules NameRulesAt(const RootState& root, int directory);

// `directory` must stay open, and the root alive, as long as this object.
class Visibility {
 public:
  // `path` is the directory's true path below the root.
  Visibility(const RootState& root, int directory, std::string path,
             Operation operation = Operation::kStat);

  bool Shows(std::string_view name) const;

 private:
  const RootState& root_;
  int directory_;
  std::string prefix_;
  Operation operation_;
};

}  // namespace cordon::confine
