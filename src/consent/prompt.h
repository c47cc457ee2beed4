// The prompt as text: a pure function of the question and the window.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "consent/question.h"

namespace cordon::consent {

struct PromptOption {
  char key;  // '1', '2', '3'
  Choice choice;
  std::string label;  // safe to show
};

// In the order shown; the last is always Deny, and always has the key '3'. The
// second is there only if the question offers it, and has the key '2'.
std::vector<PromptOption> OptionsOf(const Question& question);

// Lines of at most `columns` cells, without newlines, that a terminal shows as they
// are. Long names are broken, every further line of one indented so that no part of
// a name stands where a line of the prompt begins. `marked` is an index of OptionsOf.
std::vector<std::string> PromptLines(const Question& question, std::size_t marked,
                                     std::size_t columns);

}  // namespace cordon::consent
