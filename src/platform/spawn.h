// Starting a program with exactly the descriptors it is meant to have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct SpawnPlan {
  std::string program;                 // absolute
  std::vector<std::string> arguments;  // its own name first
  std::vector<std::string> environment;
  struct Descriptor {
    int from = -1;
    int to = -1;
  };
  std::vector<Descriptor> descriptors;  // everything else of this tree closes by itself
};

// A child of this process. Thread safety: none.
class SpawnedProcess {
 public:
  SpawnedProcess() = default;
  SpawnedProcess(SpawnedProcess&& other) noexcept;
  SpawnedProcess& operator=(SpawnedProcess&& other) noexcept;
  ~SpawnedProcess();  // ends it if it runs, and waits for that

  static Result<SpawnedProcess> Start(const SpawnPlan& plan);
  int id() const { return id_; }
  // Waits until it has ended.
  void Wait();
  void Kill();
  // From now on it is nobody's here: not ended, not waited for.
  void Leave() { id_ = -1; }

 private:
  int id_ = -1;
};

// A file without a name: empty, then filled once, after which nobody can change it any more.
Result<UniqueFd> MakeUnnamedFile();
Status FillAndSeal(int unnamed_file, std::string_view bytes);

}  // namespace cordon::platform
