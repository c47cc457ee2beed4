// The prompt as text: a pure function of the question and the window.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
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

// A narrower window cannot show a question so that it is not torn.
inline constexpr std::size_t kMinColumns = 20;

// Lines of at most `columns` cells (and at least kMinColumns), without newlines, that a terminal
// shows as they are. Long names are broken, every further line of one indented so that no part of
// a name stands where a line of the prompt begins. `marked` is an index of OptionsOf.
std::vector<std::string> PromptLines(const Question& question, std::size_t marked,
                                     std::size_t columns);

// The facts alone, for whoever shows the choices in its own way: who wants what, how
// things stand, what would change, why it is asked.
std::vector<std::string> FactLines(const Question& question, std::size_t columns);

// What remains to be seen of a question: "Allow once: write to /etc/hosts", or what
// happened instead of an answer: "timed out: denied: write to /etc/hosts".
std::vector<std::string> ChosenLines(const Question& question, Choice choice, std::size_t columns);
// `happened` is our own text.
std::vector<std::string> EndedLines(const Question& question, std::string_view happened,
                                    std::size_t columns);

}  // namespace cordon::consent
