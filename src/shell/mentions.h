// The words of a command that may name files although nobody knows what they are for.
#pragma once

#include <vector>

#include "shell/call.h"
#include "shell/word.h"

namespace cordon::shell {

// Each word of the call that could be a path, and each part of one: of "--key=a", "name@a",
// "HEAD:a", "-Ia" and "file:///a" also "a". Nothing of programs that only handle text, or that
// tell of their words themselves; not what an option leaves out ("--exclude=a") or says
// ("-m text").
std::vector<Word> MentionedBy(const Call& call);

// The parts of code in another language that quotes, blanks and brackets separate.
std::vector<Word> WordsOfCode(const Word& code);

// The pattern if its wildcards match a dot at the beginning of a name.
Word WithDots(const Word& pattern);

}  // namespace cordon::shell
