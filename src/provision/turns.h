// One thing at a time is done to one sandbox.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "base/sandbox_id.h"

namespace cordon::provision {

// Thread safety: all methods may run concurrently.
class Turns {
  struct Place {
    std::mutex busy;
    std::size_t wanted = 0;  // by how many, the holder included
  };
  using Places = std::map<SandboxId, Place>;

 public:
  // Held until destroyed. Must not outlive the Turns, nor be taken twice by one thread.
  class Turn {
   public:
    Turn(Turns& turns, Places::iterator place);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

   private:
    Turns& turns_;
    Places::iterator place_;
  };
  // Waits for whoever has it.
  Turn Take(const SandboxId& id);

 private:
  std::mutex mutex_;
  Places places_;  // guarded by mutex_, but for the locks in it
};

}  // namespace cordon::provision
