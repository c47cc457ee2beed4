// Device nodes inside the root: opened, without waiting, and refused.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Devices : public PerResolver {};
CORDON_PER_RESOLVER(Devices);

TEST_P(Devices, AreRefusedForReadingAndWriting) {
  Given({Link("root/l", "null")});
  const std::string null = scratch_.At("root/null");
  if (::mknod(null.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) {
    GTEST_SKIP() << "this user may not make device nodes";
  }
  const int usable = ::open(null.c_str(), O_RDONLY | O_CLOEXEC);
  if (usable < 0) GTEST_SKIP() << "device nodes are dead on this file system";
  ::close(usable);
  const auto root = Open(policy::Profile::kInteractive);
  for (const char* path : {"null", "l"}) {
    for (const confine::OpenMode mode :
         {confine::OpenMode::kRead, confine::OpenMode::kWrite, confine::OpenMode::kCreate}) {
      const auto file = root.Open(path, mode);
      ASSERT_FALSE(file.has_value()) << path;
      EXPECT_EQ(file.error().code, ErrorCode::kNotARegularFile) << Describe(file.error());
      EXPECT_EQ(file.error().violation, Violation::kDevice);
    }
    EXPECT_REFUSED(root.Replace(path), ErrorCode::kNotARegularFile);
    EXPECT_REFUSED(root.Append(path, "x"), ErrorCode::kNotARegularFile);
  }
  EXPECT_ALLOWED(root.Stat("null", confine::FinalSymlink::kFollow)) << "looking is no opening";
}

}  // namespace
}  // namespace cordon::testing
