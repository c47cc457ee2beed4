// What may stand next on a command line, found in the tree that also parses it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace cordon::cli {

struct Candidate {
  std::string text;
  std::string help;  // one line, may be empty
};

struct Completion {
  std::vector<Candidate> candidates;
  // What the shell itself may add: names of files, or of directories alone.
  enum class Names { kNone, kFiles, kDirectories } names = Names::kNone;
  enum class After { kSpace, kNothing } after = After::kSpace;
};

// The ids of the sandboxes there are; asked for only where one may stand.
using SandboxNames = std::function<std::vector<Candidate>()>;

// `words`: what follows the program's name; the last is the one to be completed, maybe empty.
// Only what begins with it is given. An "=" alone, as bash cuts words, belongs to what is around
// it.
Completion Complete(const CLI::App& program, const std::vector<std::string>& words,
                    const SandboxNames& sandboxes);

// The values that an option's type name lists, as "a|b|c".
std::vector<std::string> ListedValues(const std::string& type_name);

}  // namespace cordon::cli
