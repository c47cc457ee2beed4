// Admission's part that speaks with a person.
#include <utility>

#include "base/try.h"
#include "consent/question_id.h"
#include "guard/admission.h"
#include "guard/guard.h"
#include "guard/offer.h"

namespace cordon::guard {
namespace {

using consent::Choice;

Error ConsentError(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "ask";
  error.rule = "consent";
  error.detail = std::move(detail);
  return error;
}

std::string StateOf(const Way& way) {
  const confine::Probed& probed = *way.probed;
  if (!probed.exists && way.sight == Way::Sight::kHidden) return "cannot be looked at";
  if (!probed.exists) return "does not exist yet";
  switch (probed.stat.type) {
    case platform::FileType::kRegular:
      return "a file of " + std::to_string(probed.stat.size) + " bytes";
    case platform::FileType::kDirectory: return "a directory";
    case platform::FileType::kSymlink: return "a symbolic link";
    case platform::FileType::kFifo: return "a pipe";
    case platform::FileType::kSocket: return "a socket";
    case platform::FileType::kDevice: return "a device";
    case platform::FileType::kUnknown: break;
  }
  return "of a kind that is not known";
}

void AddIdentity(std::string& text, std::string_view label, const platform::FileIdentity& object) {
  text += label;
  text += std::to_string(object.device);
  text += ':';
  text += std::to_string(object.inode);
}

// So that an answer that comes with a later call is one about this very object.
std::string ObjectOf(const confine::Probed& probed) {
  std::string text;
  if (probed.exists) {
    AddIdentity(text, "is ", probed.stat.identity);
    // Numbers are used again; nobody can choose when a file was made.
    const auto born = platform::BirthTimeOf(probed.held_object.get());
    if (born) text += " born " + std::to_string(*born);
    if (probed.stat.type == platform::FileType::kRegular) {
      text += " changed " + std::to_string(probed.stat.modified_ns);
    }
  }
  // What is not there yet is known by its true path alone: its directory may have been made
  // by the very call that asks.
  if (probed.exists && probed.directory != platform::FileIdentity{}) {
    AddIdentity(text, " in ", probed.directory);
  }
  return text;
}

// Where the directory itself is missing there is nothing to hold the answer to: what
// comes there later is not what the person saw.
Status CheckReachable(const Way& way) {
  if (way.probed->exists || way.probed->directory != platform::FileIdentity{}) return {};
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "ask";
  error.detail = "there is no such file or directory";
  return error;
}

// What was agreed to may be of a kind that the act cannot be done to.
Status CheckKind(const Act& act, const Way& way) {
  if (!way.probed->exists) return {};
  const platform::FileType type = way.probed->stat.type;
  Error error;
  error.op = "ask";
  const bool tree = act.tells == Act::Tells::kTree;
  if (tree && type == platform::FileType::kRegular) return {};
  if (tree || act.operation == Operation::kList) {
    if (type == platform::FileType::kDirectory) return {};
    error.code = ErrorCode::kNotADirectory;
    error.detail = "this is not a directory";
    return error;
  }
  if (act.operation != Operation::kRead && act.operation != Operation::kWrite) return {};
  if (act.event != audit::Event::kFileRead && act.event != audit::Event::kFileWrite) return {};
  if (type == platform::FileType::kRegular) return {};
  const bool directory = type == platform::FileType::kDirectory;
  error.code = directory ? ErrorCode::kIsADirectory : ErrorCode::kNotARegularFile;
  error.detail = directory ? "this is a directory" : "this is not a regular file";
  return error;
}

// By which the directory on offer is chosen: one that is searched is listed.
Operation OfferedBy(const Act& act, const Way& way) {
  const bool searched = act.tells == Act::Tells::kTree && way.probed->exists &&
                        way.probed->stat.type == platform::FileType::kDirectory;
  return searched ? Operation::kList : act.operation;
}

// From here on the way leads to what the person saw, under its true name.
void Bind(Way& way) {
  way.expected = way.probed->AsExpected();
  way.own = way.probed->path.empty() ? "." : way.probed->path;
  way.tier = audit::Tier::kPerson;
}

}  // namespace

consent::Question Admission::MakeQuestion(const Act& act, const Way& way,
                                          const Extra& extra) const {
  consent::Question question;
  question.session = session_.id;
  question.actor = session_.actor;
  question.tool = act.call->tool;
  question.operation = act.operation;
  question.path = way.resolved();
  question.asked = act.asked;
  if (act.event == audit::Event::kCommandExec) question.command = act.target;
  question.state = StateOf(way);
  question.preview = extra.preview;
  question.object = ObjectOf(*way.probed);
  if (extra.content) question.object += " content " + ToHex(*extra.content);
  question.reason = way.reason;
  const bool always = LevelOf(act) == policy::ToolLevel::kAlways;
  if (extra.second != nullptr) {
    question.target = extra.second->resolved();
    question.object += " to " + ObjectOf(*extra.second->probed);
    if (extra.second->reason == consent::Reason::kOutside) question.reason = extra.second->reason;
  } else if (act.event == audit::Event::kLinkCreate) {
    question.target = act.target;
  }
  if (question.reason == consent::Reason::kOutside) {
    // Two ends may be in two directories; giving one away would not settle it. Nor is one given
    // away where it is not known what it holds.
    if (!always && extra.second == nullptr) {
      const auto kept = boundary_.Kept();
      if (kept) question.directory = OfferedDirectory(question.path, OfferedBy(act, way), *kept);
    }
  } else if (!always && question.reason == consent::Reason::kTool) {
    question.trusted = std::string(policy::ToolKindName(act.call->kind)) + " in the workspace";
  }
  return question;
}

bool Admission::IsSettled(const Act& act, const Way& way) const {
  if (LevelOf(act) == policy::ToolLevel::kAlways || way.reason == consent::Reason::kRule) {
    return false;
  }
  if (way.reason == consent::Reason::kTool) return grants_.Trusts(act.call->kind);
  return grants_.Covering(*boundary_.outside(), way.resolved()).has_value();
}

std::optional<confine::Root> Admission::HoldOffer(consent::Question& question) const {
  if (!question.directory) return std::nullopt;
  if (auto options = boundary_.OptionsForGrant(*question.directory)) {
    auto held = boundary_.outside()->Subroot(*question.directory, std::move(*options));
    if (held && held->real_path() == *question.directory) return std::move(*held);
  }
  question.directory.reset();  // what cannot be held cannot be given away
  return std::nullopt;
}

bool Admission::Remember(const Act& act, Choice choice, std::optional<confine::Root> offered) {
  if (choice == Choice::kTool) grants_.TrustTools(act.call->kind);
  if (choice != Choice::kDirectory) return true;
  const auto now =
      boundary_.outside()->Stat(offered->real_path(), confine::FinalSymlink::kNoFollow);
  if (!now || now->identity != offered->identity()) return false;
  grants_.AddDirectory(std::move(*offered));
  return true;
}

Result<bool> Admission::Ask(const Act& act, Way& way, const Extra& extra) {
  if (act.call->asks == Call::Asks::kNever) {
    return ConsentError(ErrorCode::kConsentUnavailable, "nobody is asked about this");
  }
  consent::Question question = MakeQuestion(act, way, extra);
  question.id = consent::NewQuestionId();
  std::optional<confine::Root> offered = HoldOffer(question);
  const auto since = Ledger::Clock::now();
  TRY(ledger_.Asked(act, question));
  consent::Answer answer;
  answer.channel = "none";
  answer.failure = "no channel";
  bool moot = false;
  if (desk_ != nullptr) {
    answer = desk_->Ask(
        question,
        [&]() -> std::optional<Choice> {
          moot = extra.second == nullptr && IsSettled(act, way);
          return moot ? std::optional(Choice::kOnce) : std::nullopt;
        },
        act.call->stop, act.call->client);
  }
  if (!question.Offers(answer.choice)) answer.choice = Choice::kDeny;
  TRY(ledger_.Decided(act, question, answer, since));
  if (moot) return false;  // an earlier answer covers it: that way, then
  if (answer.choice == Choice::kDeny) {
    if (answer.failure.empty()) return ConsentError(ErrorCode::kConsentDenied, "the user refused");
    return ConsentError(ErrorCode::kConsentUnavailable, "nobody agreed to this: " + answer.failure);
  }
  if (!Remember(act, answer.choice, std::move(offered))) return false;
  TRY(CheckReachable(way));
  TRY(CheckKind(act, way));
  if (extra.second != nullptr) TRY(CheckReachable(*extra.second));
  Bind(way);
  way.expected.content = extra.content;
  way.rule = answer.choice == Choice::kOnce        ? "consent:once"
             : answer.choice == Choice::kDirectory ? "consent:directory"
                                                   : "consent:tool";
  if (extra.second != nullptr) Bind(*extra.second);
  return true;
}

}  // namespace cordon::guard
