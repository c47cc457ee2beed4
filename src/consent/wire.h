// The lines that travel between who asks and `cordon approve`: see socket_channel.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "consent/question.h"
#include "cordon/result.h"

namespace cordon::consent {

// Longer lines are not sent, and whoever sends them is turned away.
inline constexpr std::size_t kMaxQuestionLine = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxAnswerLine = 4096;
// Of a preview as much is sent as somebody might look at.
inline constexpr std::size_t kMaxSentPreview = 64 * 1024;

enum class SettledBy { kHere, kElsewhere, kTimeout, kWithdrawn, kGone };
std::string_view SettledByName(SettledBy by);  // "here", "elsewhere", ...

// The question is over. kGone is never sent: it is what the end of a connection means.
struct Settled {
  std::string id;
  Choice choice = Choice::kDeny;
  SettledBy by = SettledBy::kHere;
};

// An answer did not count.
struct Ignored {
  std::string id;
  std::string reason;
};

struct GivenAnswer {
  std::string id;
  Choice choice = Choice::kDeny;
};

// Each with its newline; without one inside, and safe to show on a terminal.
std::string LineOf(const Question& question);
std::string LineOf(const Settled& settled);
std::string LineOf(const Ignored& ignored);
std::string LineOf(const GivenAnswer& answer);

using ToPerson = std::variant<Question, Settled, Ignored>;
// Errors: kInvalidArguments for a line that is none of them.
Result<ToPerson> ParseToPerson(std::string_view line);
// The type may be left out. Errors: as above.
Result<GivenAnswer> ParseAnswer(std::string_view line);

}  // namespace cordon::consent
