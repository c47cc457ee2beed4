// The one way from a tool to the disk: decide, ask, record, perform, record.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "audit/recorder.h"
#include "base/sha256.h"
#include "confine/file.h"
#include "confine/root.h"
#include "consent/desk.h"
#include "cordon/result.h"
#include "guard/background_commands.h"
#include "guard/boundary.h"
#include "guard/command.h"
#include "policy/tool_level.h"
#include "undo/keeper.h"

namespace cordon::guard {

// On whose behalf; stands in every record and question.
struct Session {
  std::string id;
  std::string actor;
  std::string conversation;
  std::string sandbox;
  policy::Subject subject = policy::Subject::kAgent;
};

// One call of one tool.
struct Call {
  std::string_view tool;  // "write_file"
  policy::ToolKind kind = policy::ToolKind::kRead;
  std::stop_token stop;
  // For the journal: set, changes of calls that share it are one operation.
  std::shared_ptr<undo::Together> together = {};
  const undo::Undoing* undoing = nullptr;  // set: a step of an undo
  // The way to a person through the asker itself, asked before the desk's own; may be
  // null. Must outlive the call. Without a desk it is not used. While it is deferred(),
  // changes are not done although they seem to be; steps of an undo fail instead.
  consent::Channel* client = nullptr;
  // kNever: what a person would be asked about is refused.
  enum class Asks { kWhereNeeded, kNever } asks = Asks::kWhereNeeded;
};

struct WriteOptions {
  enum class Existing { kReplace, kRefuse };
  Existing existing = Existing::kReplace;
  std::optional<std::uint32_t> mode;
  // What the file shall have beside its content, if it is one that was there before.
  std::optional<confine::FileTerms> terms = {};
  // The content the new one was made from. If the file's is another by now, nothing
  // is written: kStaleFile.
  std::optional<Digest> based_on;
  // For the person, if one is asked: what would change.
  std::string preview;
};

struct RemoveOptions {
  // The content of the file that is to go. If it is another by now, nothing is removed:
  // kStaleFile, as for what is no regular file.
  std::optional<Digest> based_on;
  // For the person, if one is asked: what would be lost.
  std::string preview;
};

struct RenameOptions {
  enum class Existing { kReplace, kRefuse };
  Existing existing = Existing::kReplace;  // at the new name
};

// Guarantees: nothing is opened, told or changed before the policy, and where it
//   says so a person, has agreed; what a person agreed to is what happens: the path
//   is resolved again after the answer and must be the object they saw, or they are
//   asked anew. A deny rule beats every answer and every grant. What has an effect
//   is recorded before it and after it, what only tells something before it is told;
//   a refusal is on the disk before it is returned. What cannot be recorded does not
//   happen. Where there is a keeper, what a change takes away is kept before it: for a
//   single file or link, exactly what it takes away, or it is tried again; of a tree,
//   what was there a moment before.
// Errors: those of confine::Root; kConsentDenied (the person said no),
//   kConsentUnavailable (nobody could be asked, or nobody answered in time);
//   kIoError with rule "audit" when the log cannot be written, with rule "undo" when the
//   journal cannot.
// Thread safety: every method may run concurrently; answers hold for the session.
class Guard {
 public:
  struct Parts {
    Boundary boundary;
    std::shared_ptr<audit::Recorder> recorder;  // must be set
    std::shared_ptr<consent::Desk> desk;        // null: nobody can be asked
    Session session;
    std::shared_ptr<undo::Keeper> keeper = {};            // null: nothing can be undone
    std::shared_ptr<const CommandSupport> commands = {};  // null: no command is run
    // Asked before so many bytes are added, by what has made the boundary. Empty: nobody is asked.
    std::function<Status(std::uint64_t bytes)> room = {};
  };
  // Records the session's start, and loudly if it has no protection.
  static Result<std::unique_ptr<Guard>> Start(Parts parts);
  ~Guard();  // records the session's end

  Result<confine::File> OpenRead(const Call& call, std::string_view untrusted);
  // All at once: the old content or all of the new one.
  Status Write(const Call& call, std::string_view untrusted, std::string_view bytes,
               const WriteOptions& options = {});
  Status Append(const Call& call, std::string_view untrusted, std::string_view bytes);
  Result<platform::FileStat> Stat(const Call& call, std::string_view untrusted,
                                  confine::FinalSymlink final = confine::FinalSymlink::kFollow);
  Result<std::vector<confine::DirectoryEntry>> List(const Call& call, std::string_view untrusted,
                                                    std::size_t limit = 1'000'000);
  // One record for the whole walk, before the first entry is told.
  Status Walk(const Call& call, std::string_view untrusted, const confine::WalkLimits& limits,
              const std::function<confine::WalkStep(const confine::WalkEntry&)>& visit);
  // Names, and contents if the terms say so, below a directory or of one file. One record
  // and at most one question for the whole search, before the visitor sees anything.
  // Ends early when the call is stopped.
  Result<confine::SearchOutcome> Search(const Call& call, std::string_view untrusted,
                                        const confine::SearchTerms& terms,
                                        confine::SearchVisitor& visitor);
  // Decided and recorded as reading is: that something was changed tells of it. See
  // confine::Root::Watch.
  Result<platform::Watcher::Handle> Watch(const Call& call, std::string_view untrusted,
                                          platform::Watcher& watcher,
                                          const std::function<void()>& changed);
  Result<std::string> ReadLink(const Call& call, std::string_view untrusted);
  // `mode`: exactly that; unset: as usual.
  Status Mkdir(const Call& call, std::string_view untrusted,
               std::optional<std::uint32_t> mode = std::nullopt);
  // Each missing directory is an operation of its own.
  Status MkdirAll(const Call& call, std::string_view untrusted);
  Status Rename(const Call& call, std::string_view from, std::string_view to,
                const RenameOptions& options = {});
  Status Remove(const Call& call, std::string_view untrusted, const RemoveOptions& options = {});
  Status RemoveAll(const Call& call, std::string_view untrusted);
  Status Symlink(const Call& call, std::string_view target, std::string_view untrusted);

  // Starts a command behind the line that this boundary draws. What it does to files is
  // not kept for an undo. Its directory must be inside; the call's kind says whether a
  // person is asked about running it.
  // Errors beside: kSandboxRequired when a layer is missing that must be there;
  //   kCommandFailed when the program cannot be started.
  Result<std::unique_ptr<RunningCommand>> Run(const Call& call, const CommandTerms& terms);
  // Those of this session that were left running; they end with it.
  BackgroundCommands& background();
  // Whether commands can be run at all.
  bool RunsCommands() const;
  // A file that a running command asks for, as every tool would have to.
  Result<confine::File> OpenForCommand(const Call& call, std::string_view untrusted,
                                       confine::OpenMode mode);

  // What is there, itself, as the journal would describe it: for who compares before an
  // undo. The content is read but not told. Errors: kUnsupported without a keeper.
  Result<undo::Node> Examine(const Call& call, std::string_view untrusted);
  undo::Journal* journal() const;  // null without a keeper

  const Boundary& boundary() const;
  const Session& session() const;

 private:
  struct State;
  explicit Guard(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::guard
