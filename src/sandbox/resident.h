// A sandbox that stays, as seen from outside: started once, then spoken to over its socket by
// whoever owns it, also by a later process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/command.h"
#include "sandbox/resident_message.h"
#include "sandbox/spec.h"

namespace cordon::sandbox {

// A program in it. Like sandbox::Command, of which it is the kind that has neighbours.
// Guarantees: when an attached one goes, or this process dies, the program is ended with its
//   descendants.
// Thread safety: Wait is called once, by one thread; the rest by any.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual platform::UniqueFd TakeTerminal() = 0;  // invalid without one
  virtual Result<Ended> Wait(Command::Listener& listener) = 0;
  virtual void Give(std::uint64_t id, platform::UniqueFd granted, int os_errno) = 0;
  virtual void Stop() = 0;
  virtual void Kill() = 0;
  // As if this object went: Wait returns with an error, an attached program ends.
  virtual void Leave() = 0;
};

// Guarantees: holds what sandbox::Command holds (spec.required; every layer that Ready named),
//   for every program in it, until it vanishes; goes on when the process that started it dies,
//   and ends when its launcher does. Nothing in it can reach its socket.
// Does not guarantee: that programs in one sandbox are kept from each other.
// Thread safety: all methods may run concurrently.
class Resident {
 public:
  // `directory`: private to the owner; the socket is made in it, and a file for the end.
  // spec.arguments is empty: nothing runs yet. Returns when the line stands, and what holds
  // it. Errors: as Command::Start; kAlreadyExists when one was started there before.
  static Result<LayerSet> Start(const Spec& spec, const std::string& directory,
                                const std::string& launcher);
  // To one that was started, by this process or another one. Errors: kNotFound when none
  // listens there any more.
  static Result<std::unique_ptr<Resident>> Attach(const std::string& directory);
  // How the one that was started there ended. Errors: kNotFound when it lives, or nobody could
  // write that down.
  static Result<Epitaph> HowItEnded(const std::string& directory);
  virtual ~Resident() = default;

  // Errors: kNotFound when the sandbox has gone (the same for all below); kCommandFailed when
  // the program cannot be started.
  virtual Result<std::unique_ptr<Execution>> Run(const Execute& terms, const Streams& streams) = 0;
  // A stream to a port inside; no port of the host is opened. Errors: kNotFound when nothing
  // listens there.
  virtual Result<platform::UniqueFd> Connect(std::uint16_t port) = 0;
  virtual Result<Seen> Inspect() = 0;
  // As Inspect, but quick: without processes, ports, and what they use.
  virtual Result<Seen> LookBriefly() = 0;
  // Of a proxied network; each call gives them anew. Errors: kNotFound when it is not proxied.
  struct Listeners {
    platform::UniqueFd http, socks;
  };
  virtual Result<Listeners> ProxyListeners() = 0;
  virtual Status Pause() = 0;
  virtual Status Resume() = 0;
  virtual Status Signal(std::uint32_t process, int signal) = 0;
  // Ends every program in it; the sandbox stays.
  virtual Status Clear() = 0;
  // Returns when nothing of it is left. No error if it has gone already.
  virtual Status End() = 0;
  // Readable when the sandbox has gone.
  virtual int gone() const = 0;
};

}  // namespace cordon::sandbox
