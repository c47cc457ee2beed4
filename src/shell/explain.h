// What a shell command line would do, as far as its text tells.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command_rule.h"

namespace cordon::shell {

// How much of a text is known.
enum class Exactness {
  kExact,    // these very bytes
  kPattern,  // a glob: it names what happens to match
  kUnknown,  // depends on variables, on what commands print, or on where the shell is
};

// Where a path starts.
enum class Start {
  kWorkingDirectory,  // relative to where the command line is started
  kRoot,              // absolute
  kHome,              // below the home directory: "~/x" and "$HOME/x" are both told as "~/x"
  kUnknown,           // $somewhere, or relative to a directory that is not known
};

enum class Access {
  kRead,     // its bytes, or what a directory lists
  kWrite,    // made, changed or overwritten; also its mode, owner and times
  kDelete,   // removed, or moved away
  kExecute,  // run as a program or as a script
  kEnter,    // made the working directory
};

enum class Extent {
  kItself,
  kTree,  // and whatever is below it
};

// One file or directory, and what happens to it.
struct FileUse {
  // Unquoted; relative paths are joined to where `cd` went before. "." and ".." stay, as
  // only the file system knows what they mean behind a link. What is not known stands as
  // it was written: "$name/x", "*.c". Empty when nothing was written at all.
  std::string path;
  Start start = Start::kWorkingDirectory;
  Exactness exactness = Exactness::kExact;
  Access access = Access::kRead;
  Extent extent = Extent::kItself;
  std::string by;  // the program, or the redirection: "cp", ">>"

  bool operator==(const FileUse&) const = default;
};

// A connection a program would make.
struct NetworkUse {
  std::string target;  // a URL or host as written; empty when the text names none
  Exactness exactness = Exactness::kExact;
  std::string by;

  bool operator==(const NetworkUse&) const = default;
};

// A word after expansion, as far as that can be done.
struct Argument {
  std::string text;
  Exactness exactness = Exactness::kExact;

  bool operator==(const Argument&) const = default;
};

// A program, builtin or function that would be run.
struct Program {
  Argument name;                     // as written: "rm", "./run.sh", "$EDITOR"
  std::vector<Argument> arguments;   // without the name
  std::vector<std::string> through;  // what starts it, outermost first: "sudo", "xargs"

  bool operator==(const Program&) const = default;
};

using policy::Risk;

// Why the risk is what it is.
struct Reason {
  Risk risk = Risk::kLow;
  std::string_view code;  // static and stable, for rules: "deletes-tree", "unknown-program"
  std::string text;       // one sentence for a person, which may hold untrusted text

  bool operator==(const Reason&) const = default;
};

// What the text does not tell.
struct Unknown {
  std::string text;  // the part of the command line, or the program, in question
  std::string why;   // for a person

  bool operator==(const Unknown&) const = default;
};

struct Explanation {
  // In the order of the text, each once.
  std::vector<Program> programs;
  std::vector<FileUse> files;
  std::vector<NetworkUse> network;
  std::vector<Unknown> unknown;
  // For rules, not for people: what words may name beside what is known of their programs.
  // What a program nobody has described is given, values of options, "dir/a" of "cp a dir".
  std::vector<FileUse> mentions;
  std::vector<Reason> reasons;  // the gravest first
  Risk risk = Risk::kLow;       // the gravest of the reasons
};

inline constexpr std::size_t kMaxCommandBytes = std::size_t{1} << 20;

// Explains `untrusted` as bash would read it, with no aliases and functions but its own.
//
// Guarantees: does no I/O and opens nothing; always ends, in bounded time and memory. What
//   could not be read, is too long, too deep or too much is in `unknown`, and the risk is
//   then high: no answer is ever a shorter list with a lower risk.
// Does not guarantee: that the list is whole. A program may do what its arguments do not
//   say, and the environment may give every word another meaning. This informs a person;
//   what a command can touch is the sandbox's to enforce.
// Thread safety: may run concurrently.
Explanation Explain(std::string_view untrusted);

// The parts of a code in whatever language that quotes, blanks and brackets separate: what it
// names as a file is among them if it is written out.
std::vector<std::string> TextsInCode(std::string_view untrusted);

// "read", "write", "delete", "execute", "enter".
std::string_view AccessName(Access access);
using policy::RiskName;
// "exact", "pattern", "unknown".
std::string_view ExactnessName(Exactness exactness);
// "working-directory", "root", "home", "unknown".
std::string_view StartName(Start start);
// "itself", "tree".
std::string_view ExtentName(Extent extent);

}  // namespace cordon::shell
