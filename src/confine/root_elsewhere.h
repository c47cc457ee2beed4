// A root's operations on a directory of another system, for Root::OfElsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "cordon/result.h"

namespace cordon::confine {

// Whoever does them there keeps what Root guarantees, under the same options; each method is as
// the one of Root with its name. What is not here, a root elsewhere cannot do: kUnsupported.
// Guarantees: errors of the way there are kIoError, kTimeout or kSandboxRequired.
// Thread safety: all methods may run concurrently.
class RootElsewhere {
 public:
  virtual ~RootElsewhere() = default;
  virtual Result<File> OpenRead(std::string_view untrusted, const Expected& expected) const = 0;
  virtual Result<Replacement> Replace(std::string_view untrusted,
                                      const Expected& expected) const = 0;
  virtual Status Append(std::string_view untrusted, std::string_view bytes,
                        const Expected& expected) const = 0;
  virtual Result<platform::FileStat> Stat(std::string_view untrusted, FinalSymlink final,
                                          const Expected& expected) const = 0;
  virtual Result<std::vector<DirectoryEntry>> List(std::string_view untrusted, std::size_t limit,
                                                   const Expected& expected) const = 0;
  virtual Status Walk(std::string_view untrusted, const WalkLimits& limits,
                      const std::function<WalkStep(const WalkEntry&)>& visit,
                      const Expected& expected) const = 0;
  virtual Result<SearchOutcome> Search(std::string_view untrusted, const SearchTerms& terms,
                                       SearchVisitor& visitor,
                                       const std::function<Status(std::string_view)>& begin,
                                       const Expected& expected) const = 0;
  virtual Status Mkdir(std::string_view untrusted, std::uint32_t mode,
                       const Expected& expected) const = 0;
  virtual Status MkdirExactly(std::string_view untrusted, std::uint32_t mode,
                              const Expected& expected) const = 0;
  virtual Status MkdirAll(std::string_view untrusted, std::uint32_t mode) const = 0;
  // Within this root.
  virtual Status Rename(std::string_view from, std::string_view to, const Expected& expected_from,
                        const Expected& expected_to) const = 0;
  virtual Status Remove(std::string_view untrusted, const Expected& expected) const = 0;
  virtual Status RemoveAll(std::string_view untrusted, const Expected& expected) const = 0;
  virtual Result<std::string> ReadLink(std::string_view untrusted,
                                       const Expected& expected) const = 0;
  virtual Status Symlink(std::string_view target, std::string_view untrusted,
                         const Expected& expected, LinkText text) const = 0;
  virtual Result<Probed> Probe(std::string_view untrusted, Operation operation,
                               std::optional<Operation> judged_as) const = 0;
};

// Of what a root elsewhere cannot do.
Error UnsupportedElsewhere(std::string_view op);

}  // namespace cordon::confine
