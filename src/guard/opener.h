// Opens the places of one Boundary.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "confine/ambient_authority.h"
#include "guard/boundary.h"

namespace cordon::guard {

// `settings` must outlive it; its deny rules are those every place shares.
class Opener {
 public:
  Opener(const policy::Settings& settings, confine::Resolver resolver,
         confine::AmbientAuthority authority);

  // Every configured place, the workspace first, each with the rules that what lies
  // nested in it asks for.
  Result<std::vector<Boundary::Place>> OpenPlaces(std::vector<std::string>& warnings);

  // All of the host, with the terms of `places` kept.
  Result<Boundary::Place> OpenOutside(const std::vector<Boundary::Place>& places);

  // The rules that every place shares, compiled once, and `more`.
  Result<std::shared_ptr<const policy::DenyList>> DenyListWith(
      const std::vector<policy::DenyRule>& more);

 private:
  Result<Boundary::Place> Open(const std::string& directory, policy::Zone zone,
                               const std::vector<policy::DenyRule>& more = {});
  const policy::Settings& settings_;
  confine::AmbientAuthority authority_;
  confine::RootOptions options_;
  std::shared_ptr<const policy::DenyList> shared_;
};

// A place inside Cordon's own directories would hand them over.
Status CheckOutsideOwn(const std::vector<Boundary::Place>& places,
                       const std::vector<policy::Protected>& own);

}  // namespace cordon::guard
