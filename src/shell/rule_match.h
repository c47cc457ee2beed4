// One rule on commands against one thing that a command line would do.
#pragma once

#include <string>
#include <string_view>

#include "policy/command_rule.h"
#include "shell/explain.h"

namespace cordon::shell {

// kPerhaps: the text does not tell. In this order, so that "and" is the lesser of two.
enum class Match { kNo, kPerhaps, kYes };

// Whether the program is what a rule that denies or asks is about: its name and its arguments.
// Errs towards more.
Match FindsProgram(const policy::CommandRule& rule, const Program& program);

// Whether a rule that allows covers it: errs towards less, so nothing unknown is ever covered.
bool CoversProgram(const policy::CommandRule& rule, const Program& program);

// Whether what is connected to is the rule's `host`, which is set.
Match FindsHost(const policy::CommandRule& rule, const NetworkUse& use);

// Whether what is written or deleted is the rule's `writes`, which is set. kNo for what is read.
Match FindsWrite(const policy::CommandRule& rule, const FileUse& use);

// Whether `by` of a use is the program that the rule names, or the rule names none.
bool IsBy(const policy::CommandRule& rule, std::string_view by);

bool IsWrite(const FileUse& use);
// "git" of "/usr/bin/git".
std::string_view LastName(std::string_view path);

}  // namespace cordon::shell
