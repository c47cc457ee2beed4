// The way of one request from text to descriptor.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/link_free.h"
#include "confine/root_state.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "path/posix.h"
#include "platform/open.h"

namespace cordon::confine {

// The directory that holds the last component, and that component.
struct Place {
  platform::UniqueFd directory;  // a reference
  std::string name;              // bare: never "", "." or ".."
  std::string path;              // both, below the root, without links
  bool must_be_directory = false;
};

// For an entry through which a path could lead on, a directory or a link: taking it away
// or putting one there would carry what is below out of, or into, an anchored rule's
// reach. Errors: kPathDenied if a rule covers something that could lie below.
Status CheckNothingCoveredBelow(const RootState& root, const Place& place);

// Links are replaced by their text, one at a time, and the new text is opened
// from the root again, until it contains none: then the text that was opened is
// the object's true path, and the deny list has seen every text on the way.
// One object serves one request.
class Resolution {
 public:
  // `also`: a second operation that the deny list must allow.
  Resolution(const RootState& root, Operation operation,
             std::optional<Operation> also = std::nullopt);

  // The request is what the link `name` says, and not what a caller asked for.
  void StartAtLink(std::string_view name) {
    links_ = 1;
    last_link_ = name;
  }

  // Opens the object `request` names.
  Result<platform::UniqueFd> Open(const path::Request& request, platform::OpenIntent intent,
                                  FinalSymlink final_link);

  // Finds the place of `request`, whether something is there or not. With
  // kFollow a link there is followed to the place it names.
  // Errors: kInvalidPath for the root itself and a final "..".
  Result<Place> Locate(const path::Request& request, FinalSymlink final_link);

  // The true path that Open or Locate found.
  std::string_view path() const { return text_; }

 private:
  Status CheckDenied(std::string_view text);
  Error Denial(std::string_view text, const policy::DenyList::Match& match);
  LinkFreeOutcome OpenOnce(platform::OpenIntent intent, FinalSymlink final_link);
  Status Follow(const FoundLink& link);
  Status WaitForCalm();
  Result<bool> FollowEntry(const Place& place);

  const RootState& root_;
  Operation operation_;
  std::optional<Operation> also_;
  platform::MountCrossing mounts_;
  std::string storage_;    // owns text_ once a link was followed
  std::string_view text_;  // what is to be opened
  bool must_be_directory_ = false;
  int links_ = 0;
  std::string last_link_;  // name of the link followed last
  std::vector<policy::DenyList::Match> suspects_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace cordon::confine
