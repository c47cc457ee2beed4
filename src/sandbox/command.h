// A command behind the line, as the process sees it that started it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "cordon/result.h"
#include "platform/spawn.h"
#include "platform/unique_fd.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::sandbox {

// What becomes the command's standard streams; they are the caller's until Start returns.
struct Streams {
  int in = -1, out = -1, err = -1;
};

// A launcher that was started before all is known of what it shall run. Meanwhile it makes
// what takes longest, namespaces. Ended when this goes, unless a Command took it over.
class Launcher {
 public:
  // `program`: the absolute path of cordon-launch. `expected`: the layers that the Spec will
  // ask for; when it asks for others, time is lost and nothing else.
  static Result<Launcher> Start(const std::string& program, const Streams& streams,
                                const LayerSet& expected);

 private:
  friend class Command;
  Launcher() = default;
  platform::SpawnedProcess process_;
  platform::UniqueFd control_, spec_;
};

// Guarantees: the command runs in a process that a single-threaded launcher made, behind
//   what `Ready` names; when this object goes, or this process dies, every process of the
//   command is ended. Never starts with less than spec.required.
// Thread safety: Wait is called once, by one thread; Stop and Kill by any.
class Command {
 public:
  // Told by Wait, in its thread.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnRefused(const Refused& refused) = 0;
    virtual void OnRefusedMore(const RefusedMore& more) = 0;
    virtual void OnLimit(LimitKind kind) = 0;
    // May answer later, and from another thread, through Give and Refuse.
    virtual void OnAsk(const Ask& ask) = 0;
  };

  // Returns when the line stands.
  // Errors: kSandboxRequired when a required layer is missing, named in `component`;
  //   kCommandFailed when the program cannot be started; kUnsupported elsewhere than on
  //   Linux; kIoError.
  static Result<std::unique_ptr<Command>> Start(const Spec& spec, Launcher launcher);
  // Ends what still runs.
  ~Command();

  LayerSet layers() const;
  platform::UniqueFd TakeTerminal();  // invalid without one
  platform::UniqueFd TakeHttpListener();
  platform::UniqueFd TakeSocksListener();

  // Errors: kIoError when the launcher died; whatever ran is ended then as well.
  Result<Ended> Wait(Listener& listener);

  // Answers an Ask: yes, with the descriptor if something was to be opened; or no.
  void Give(std::uint64_t id, platform::UniqueFd granted);
  void Refuse(std::uint64_t id, int os_errno);
  void Stop();
  void Kill();
  // Before Wait: once the command has ended, the launcher, which has only to tidy up, is
  // not waited for but left to the system. For programs that end themselves then.
  void Leave();

 private:
  struct State;
  explicit Command(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::sandbox
