// The journal of changes: what was there before each of them, so that it can be again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "confine/ambient_authority.h"
#include "confine/replacement.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "undo/history.h"
#include "undo/journal_file.h"
#include "undo/keeper.h"
#include "undo/limits.h"
#include "undo/objects.h"

namespace cordon::undo {

// Guarantees: what Begin kept is there, byte for byte, as long as the operation is in the
//   history; a kill at any instant costs no operation that was begun before it. Beyond
//   the limit the oldest operations are forgotten first, whole.
// Does not guarantee: the last moments before the power fails; what was kept is checked
//   when it is read, so that it is never given back wrong.
// Thread safety: every method may run concurrently, in any number of processes.
// Errors: kIoError, rule "undo".
class Journal : public Keeper {
 public:
  // `directory` is absolute, and made if missing.
  static Result<std::shared_ptr<Journal>> Open(const std::string& directory, const Limits& limits,
                                               confine::AmbientAuthority authority);

  Result<Kept> Begin(const Intent& intent) override;
  Status End(const Kept& kept, Outcome outcome, std::optional<std::uint32_t> mode) override;
  Result<Node> Describe(const confine::Probed& probed) const override;
  Journal& journal() override { return *this; }

  Result<History> Read() const;

  // Of what was kept. Errors: kNotFound, kIoError.
  Result<std::string> Content(const Digest& digest) const;
  Result<std::vector<TreeNode>> Tree(const Node& tree) const;
  Result<confine::FileTerms> Terms(const Node& file) const;

  // Nobody else undoes anything while this is held; waits for who does.
  class Exclusive {
   public:
    Exclusive(Exclusive&&) noexcept;
    ~Exclusive();

   private:
    friend class Journal;
    struct State;
    explicit Exclusive(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  Result<Exclusive> TakeUndo() const;

  // The undo of an operation begins; its changes bear the number returned.
  Result<OperationId> BeginUndo(OperationId undoes, const Origin& origin);
  Status EndUndo(OperationId undo);

 private:
  Journal(platform::UniqueFd directory, Objects objects, std::unique_ptr<JournalFile> file,
          const Limits& limits)
      : directory_(std::move(directory)),
        objects_(std::move(objects)),
        file_(std::move(file)),
        limits_(limits) {}

  Result<Change> KeepChange(const Intent& intent, std::uint64_t& added) const;
  // Forgets the oldest operations, so that there is room again.
  Status Collect(const JournalFile::Turn& turn) const;

  platform::UniqueFd directory_;
  Objects objects_;
  std::unique_ptr<JournalFile> file_;
  Limits limits_;
};

}  // namespace cordon::undo
