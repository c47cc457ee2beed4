// What is answered to an agent.
#pragma once

#include <string>

#include "hook/agent.h"

namespace cordon::hook {

enum class Answer {
  kNoOpinion,  // the agent goes on as if there were no hook
  kAsk,        // the agent asks its person
  kDeny,
};

struct Verdict {
  Answer answer = Answer::kNoOpinion;
  std::string reason;  // for the model, printable, one line; never empty but for kNoOpinion

  // Keeps the graver of the two; of equals, the one that was there.
  void Add(Verdict other);
};

// What the process must print and return.
struct Reply {
  std::string out;
  std::string err;
  int status = 0;
};

// In the form of the agent: a refusal is status 2 with the reason on standard error, and
// for those that read it with that status also JSON; no opinion is no output at all, as one
// of the agents takes whatever is there, standard error included, for an answer.
// kAsk for an agent that cannot ask is a refusal.
Reply ReplyFor(Agent agent, const Verdict& verdict);

}  // namespace cordon::hook
