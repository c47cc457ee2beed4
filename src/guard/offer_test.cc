#include "guard/offer.h"

#include <gtest/gtest.h>

namespace cordon::guard {
namespace {

const std::vector<std::string> kKept{"/home/u", "/home/u/project", "/srv/state/cordon", "/root"};

std::optional<std::string> Offer(std::string_view path, Operation operation = Operation::kRead) {
  return OfferedDirectory(path, operation, kKept);
}

TEST(Offer, TheDirectoryThatHoldsTheFile) {
  EXPECT_EQ(Offer("/etc/hosts"), "/etc");
  EXPECT_EQ(Offer("/home/u/other/a"), "/home/u/other");
  EXPECT_EQ(Offer("/home/u/project-evil/a"), "/home/u/project-evil");
}

TEST(Offer, ADirectoryItselfWhenItIsListed) {
  EXPECT_EQ(Offer("/var/log", Operation::kList), "/var/log");
  EXPECT_EQ(Offer("/var/log", Operation::kStat), "/var");
}

TEST(Offer, NeverAHomeNorAnythingAboveAPlace) {
  for (const std::string_view path : {"/x", "/", "/home/u/a", "/home/a", "/srv/a", "/srv/state/a",
                                      "/srv/state/cordon/a", "/root/a", "", "relative/a"}) {
    EXPECT_EQ(Offer(path), std::nullopt) << path;
  }
  for (const std::string_view path : {"/", "/home", "/home/u", "/srv", "/srv/state/cordon"}) {
    EXPECT_EQ(Offer(path, Operation::kList), std::nullopt) << path;
  }
}

}  // namespace
}  // namespace cordon::guard
