// What a person is asked, and what they may answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/operation.h"

namespace cordon::consent {

enum class Choice {
  kDeny,       // the default everywhere
  kOnce,       // this operation on this object
  kDirectory,  // everything in `directory`, for this session
  kTool,       // this kind of tool inside the workspace, for this session
};
std::string_view ChoiceName(Choice choice);  // "deny", "once", "directory", "tool"
std::optional<Choice> ParseChoice(std::string_view name);

// Why the person is asked.
enum class Reason {
  kOutside,  // the path is outside the boundary
  kTool,     // this kind of tool is one that asks
  kRule,     // a rule asks about this command
};
std::string_view ReasonName(Reason reason);  // "outside", "tool", "rule"
std::optional<Reason> ParseReason(std::string_view name);

// Facts only: no descriptor, nothing that could be used instead of shown. Every
// text may hold any bytes; who shows it makes it safe.
struct Question {
  std::string id;       // of NewQuestionId; set by the Desk when empty
  std::string session;  // whose session
  std::string actor;    // who asks: the agent, as far as it is known
  std::string tool;     // "write_file"
  Operation operation = Operation::kRead;
  Reason reason = Reason::kOutside;
  std::string path;     // absolute, where it really is: what is agreed to
  std::string asked;    // as the agent put it
  std::string target;   // of a rename: absolute, where it would go; else empty
  std::string command;  // set: it is about running this, in the directory `path`
  std::string state;    // one phrase: "a file of 120 bytes", "does not exist yet"
  std::string preview;  // what would change, e.g. a diff; may be empty or have many lines
  // Which object is meant, for who compares questions; never shown, never sent.
  std::string object;
  std::optional<std::string> directory;  // set: kDirectory may be chosen, and means this one
  std::optional<std::string> trusted;    // set: kTool may be chosen; "writing in the workspace"

  // Identical questions, of one session about the same act, are asked once.
  bool SameAs(const Question& other) const;
  bool Offers(Choice choice) const;
};

struct Answer {
  Choice choice = Choice::kDeny;
  std::string
      channel;  // "tty", "socket", ...; "none": nobody could be asked; "earlier": no need to ask
  // Why it is a denial although nobody denied; empty when a person chose.
  std::string failure;  // "no channel", "timeout", "the terminal was closed"
};

}  // namespace cordon::consent
