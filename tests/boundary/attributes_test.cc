// Access control lists and extended attributes of a file whose content is replaced.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";
constexpr const char* kDefaultList = "system.posix_acl_default";
constexpr std::uint32_t kSomeone = 4711;

// On the file system of the working directory: /tmp may be of a kind without attributes.
class Attributes : public ::testing::TestWithParam<confine::Resolver> {
 protected:
  void SetUp() override {
    ASSERT_EQ(BuildCase(scratch_, {FileWith("root/f", "old")}), "");
    if (::setxattr(Path("f").c_str(), "user.probe", "x", 1, 0) != 0) {
      GTEST_SKIP() << "no user attributes here: " << std::strerror(errno);
    }
    ::removexattr(Path("f").c_str(), "user.probe");
  }
  std::string Path(const std::string& name) const { return scratch_.At("root/" + name); }
  void Set(const std::string& name, const char* attribute, const std::string& value) const {
    ASSERT_EQ(::setxattr(Path(name).c_str(), attribute, value.data(), value.size(), 0), 0)
        << attribute << ": " << std::strerror(errno);
  }
  std::string Get(const std::string& name, const char* attribute) const {
    std::string value(1 << 16, '\0');
    const ssize_t size = ::getxattr(Path(name).c_str(), attribute, value.data(), value.size());
    if (size < 0) return "none";
    value.resize(static_cast<std::size_t>(size));
    return value;
  }
  mode_t ModeOf(const std::string& name) const {
    struct stat found = {};
    EXPECT_EQ(::lstat(Path(name).c_str(), &found), 0);
    return found.st_mode & 07777;
  }
  Status Replace(const std::string& name) const {
    auto root = OpenRoot(scratch_.At("root"), OptionsOf(policy::Profile::kStrict, GetParam()));
    return root ? ReplaceFile(*root, name, "new") : Status(root.error());
  }

  Scratch scratch_{"."};
};
INSTANTIATE_TEST_SUITE_P(Boundary, Attributes,
                         ::testing::Values(confine::Resolver::kOpenat2, confine::Resolver::kWalk),
                         [](const auto& info) { return ResolverName(info.param); });

// Owner rw, someone rw, the group nothing, others nothing; the mask, rw, stands where
// the mode has the group.
std::string ListForSomeone() {
  struct {
    posix_acl_xattr_header header;
    posix_acl_xattr_entry entries[5];
  } list = {};
  const auto entry = [](int tag, int permissions, std::uint32_t id) {
    posix_acl_xattr_entry made = {};
    made.e_tag = static_cast<std::uint16_t>(tag);
    made.e_perm = static_cast<std::uint16_t>(permissions);
    made.e_id = id;
    return made;
  };
  constexpr auto kNobody = static_cast<std::uint32_t>(ACL_UNDEFINED_ID);
  list.header.a_version = POSIX_ACL_XATTR_VERSION;
  list.entries[0] = entry(ACL_USER_OBJ, 6, kNobody);
  list.entries[1] = entry(ACL_USER, 6, kSomeone);
  list.entries[2] = entry(ACL_GROUP_OBJ, 0, kNobody);
  list.entries[3] = entry(ACL_MASK, 6, kNobody);
  list.entries[4] = entry(ACL_OTHER, 0, kNobody);
  return std::string(reinterpret_cast<const char*>(&list), sizeof list);
}

TEST_P(Attributes, WhatUsersAttachedIsKept) {
  Set("f", "user.note", std::string("a\0b", 3));
  Set("f", "user.empty", "");
  Set("f", "user.long", std::string(2000, 'x'));
  EXPECT_ALLOWED(Replace("f"));
  EXPECT_EQ(Get("f", "user.note"), std::string("a\0b", 3));
  EXPECT_EQ(Get("f", "user.empty"), "");
  EXPECT_EQ(Get("f", "user.long"), std::string(2000, 'x'));
}

TEST_P(Attributes, CapabilitiesDoNotPassToNewContent) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to set a capability";
  // Version 2, effective, CAP_NET_RAW permitted.
  const std::uint32_t capability[5] = {0x02000001, 1U << 13, 0, 0, 0};
  Set("f", "security.capability",
      std::string(reinterpret_cast<const char*>(capability), sizeof capability));
  Set("f", "trusted.note", "x");
  EXPECT_ALLOWED(Replace("f"));
  EXPECT_EQ(Get("f", "security.capability"), "none");
  EXPECT_EQ(Get("f", "trusted.note"), "none");
}

TEST_P(Attributes, TheAccessListIsKeptAndItsMaskIsNotTheGroups) {
  Set("f", kAccessList, ListForSomeone());
  ASSERT_EQ(ModeOf("f"), 0660U);
  EXPECT_ALLOWED(Replace("f"));
  EXPECT_EQ(Get("f", kAccessList), ListForSomeone());
  EXPECT_EQ(ModeOf("f"), 0660U);
}

TEST_P(Attributes, WhatTheDirectoryHandsDownDoesNotOpenAFileThatHadNoList) {
  ASSERT_EQ(::chmod(Path("f").c_str(), 0660), 0);
  Set("", kDefaultList, ListForSomeone());
  EXPECT_ALLOWED(Replace("f"));
  EXPECT_EQ(Get("f", kAccessList), "none");
  EXPECT_EQ(ModeOf("f"), 0660U);
  EXPECT_ALLOWED(Replace("made"));
  EXPECT_EQ(Get("made", kAccessList), ListForSomeone()) << "a new file inherits as any other";
}

}  // namespace
}  // namespace cordon::testing
