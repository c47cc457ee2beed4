// A question to a person as a form that an MCP client shows, and the answer read back.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "consent/question.h"
#include "mcp/revision.h"

namespace cordon::mcp_tools {

// What a person made of a form. Nothing but a choice that was offered agrees to anything.
struct FormAnswer {
  consent::Choice choice = consent::Choice::kDeny;
  std::string failure = {};  // why it is a denial although nobody denied; empty: somebody chose
};

// The choices of a question, the default, deny, last.
std::vector<consent::Choice> ChoicesOf(const consent::Question& question);

// The params of "elicitation/create". Every text is plain and escaped as on a terminal:
// no name can be taken for a line of the prompt.
boost::json::object ConsentForm(const consent::Question& question, mcp::Revision revision);

// Takes anything.
FormAnswer ReadForm(const boost::json::object& result, const std::vector<consent::Choice>& offered);

// Names exactly this question: what would be done to which object, seen in which state,
// and what may be agreed to. 64 hexadecimal digits.
std::string DigestOf(const consent::Question& question);

}  // namespace cordon::mcp_tools
