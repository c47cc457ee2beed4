#include "cordon/safe_file_stream.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "cordon/workspace.h"
#include "tests/tree.h"

namespace cordon {
namespace {

static_assert(!std::is_default_constructible_v<SafeFileStream>);
static_assert(!std::is_copy_constructible_v<SafeFileStream>);
static_assert(!std::is_constructible_v<SafeFileStream, const char*>);
static_assert(!std::is_constructible_v<SafeFileStream, std::string>);
static_assert(!std::is_constructible_v<SafeFileStream, int>);
static_assert(std::is_nothrow_move_constructible_v<SafeFileStream>);

class SafeFileStreamTest : public testing::EachResolver {
 protected:
  Workspace Open() const {
    auto workspace = Workspace::Open(root());
    if (!workspace) {
      ADD_FAILURE() << workspace.error().detail;
      std::abort();
    }
    return std::move(*workspace);
  }
};

TEST_P(SafeFileStreamTest, ReadsLines) {
  tree_.File("root/f", "one\ntwo\n");
  auto stream = Open().OpenRead("f");
  ASSERT_TRUE(stream.has_value());
  std::vector<std::string> lines;
  for (std::string line; std::getline(*stream, line);) lines.push_back(line);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(stream->eof());
  EXPECT_FALSE(stream->bad());
  EXPECT_FALSE(stream->error().has_value());
}

TEST_P(SafeFileStreamTest, ReadsMoreThanABufferInEveryWay) {
  std::string content;
  for (int i = 0; content.size() < 300'000; ++i) content += std::to_string(i) + "\n";
  tree_.File("root/f", content);
  const Workspace workspace = Open();
  auto whole = workspace.OpenRead("f");
  std::ostringstream copied;
  copied << whole->rdbuf();
  EXPECT_EQ(copied.str(), content);
  auto bytes = workspace.OpenRead("f");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(*bytes), {}), content);
  auto block = workspace.OpenRead("f");
  std::string buffer(content.size() + 10, '\0');
  EXPECT_EQ(block->get(), content[0]);
  block->read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  EXPECT_EQ(block->gcount(), static_cast<std::streamsize>(content.size() - 1));
  EXPECT_EQ(buffer.substr(0, content.size() - 1), content.substr(1));
  EXPECT_TRUE(block->eof());
}

TEST_P(SafeFileStreamTest, SeeksWhereverItIsTold) {
  std::string content(200'000, '.');
  content[0] = 'a', content[100'000] = 'm', content.back() = 'z';
  tree_.File("root/f", content);
  auto stream = Open().OpenRead("f");
  stream->seekg(100'000);
  EXPECT_EQ(stream->get(), 'm');
  EXPECT_EQ(stream->tellg(), std::streampos(100'001));
  stream->seekg(-1, std::ios::cur);
  EXPECT_EQ(stream->get(), 'm');
  stream->seekg(-1, std::ios::end);
  EXPECT_EQ(stream->get(), 'z');
  EXPECT_EQ(stream->get(), EOF);
  stream->clear();
  stream->seekg(0);
  EXPECT_EQ(stream->get(), 'a');
  stream->unget();
  EXPECT_EQ(stream->get(), 'a');
  stream->seekg(-5, std::ios::beg);
  EXPECT_TRUE(stream->fail());
  stream->clear();
  EXPECT_EQ(stream->tellg(), std::streampos(1));
  stream->seekg(1'000'000);
  EXPECT_EQ(stream->get(), EOF);
}

TEST_P(SafeFileStreamTest, StaysOnItsFileWhateverHappensToTheName) {
  tree_.File("root/f", "before");
  auto stream = Open().OpenRead("f");
  std::filesystem::remove(tree_.At("root/f"));
  tree_.Link("root/f", "../outside/secret");
  std::string text;
  *stream >> text;
  EXPECT_EQ(text, "before");
}

TEST_P(SafeFileStreamTest, AReadingStreamDoesNotWrite) {
  tree_.File("root/f", "x");
  auto stream = Open().OpenRead("f");
  *stream << "y" << std::flush;
  EXPECT_TRUE(stream->bad());
  EXPECT_EQ(tree_.Read("root/f"), "x");
}

TEST_P(SafeFileStreamTest, WritingTakesTheNameAtCommitOnly) {
  tree_.File("root/f", "old");
  auto stream = Open().OpenWrite("f");
  ASSERT_TRUE(stream.has_value());
  *stream << "new " << 1 << std::flush;
  EXPECT_EQ(stream->tellp(), std::streampos(5));
  EXPECT_EQ(tree_.Read("root/f"), "old");
  ASSERT_TRUE(stream->Commit().has_value());
  EXPECT_EQ(tree_.Read("root/f"), "new 1");
  EXPECT_FALSE(stream->is_open());
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
  *stream << "late" << std::flush;
  EXPECT_TRUE(stream->bad());
  EXPECT_FALSE(stream->Commit().has_value());
  EXPECT_EQ(tree_.Read("root/f"), "new 1");
}

TEST_P(SafeFileStreamTest, CloseCommits) {
  auto stream = Open().OpenWrite("new");
  *stream << "text";
  stream->close();
  EXPECT_TRUE(stream->good());
  EXPECT_EQ(tree_.Read("root/new"), "text");
  stream->close();
  EXPECT_TRUE(stream->fail());
}

TEST_P(SafeFileStreamTest, ADroppedWriteLeavesNothing) {
  tree_.File("root/f", "old");
  {
    const Workspace workspace = Open();
    auto existing = workspace.OpenWrite("f");
    *existing << std::string(200'000, 'x') << std::flush;
    auto fresh = workspace.OpenWrite("g");
    *fresh << "x" << std::flush;
  }
  EXPECT_EQ(tree_.Read("root/f"), "old");
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

TEST_P(SafeFileStreamTest, AFailedStreamIsNotCommitted) {
  tree_.File("root/f", "old");
  {
    auto stream = Open().OpenWrite("f");
    *stream << "half";
    stream->setstate(std::ios::failbit);
    EXPECT_FALSE(stream->Commit().has_value());
  }
  EXPECT_EQ(tree_.Read("root/f"), "old");
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

TEST_P(SafeFileStreamTest, WritesMoreThanABuffer) {
  auto stream = Open().OpenWrite("f");
  std::string expected;
  for (int i = 0; i < 50'000; ++i) {
    *stream << i << ' ';
    expected += std::to_string(i) + ' ';
  }
  const std::string block(500'000, 'b');
  stream->write(block.data(), static_cast<std::streamsize>(block.size()));
  expected += block;
  *stream << "end";
  expected += "end";
  EXPECT_EQ(stream->tellp(), std::streampos(static_cast<std::streamoff>(expected.size())));
  ASSERT_TRUE(stream->Commit().has_value());
  EXPECT_EQ(tree_.Read("root/f"), expected);
}

TEST_P(SafeFileStreamTest, AWritingStreamNeitherSeeksNorReads) {
  tree_.File("root/f", "old");
  auto stream = Open().OpenWrite("f");
  *stream << "abc";
  stream->seekp(0);
  EXPECT_TRUE(stream->fail());
  stream->clear();
  EXPECT_EQ(stream->get(), EOF);
}

TEST_P(SafeFileStreamTest, WritingKeepsTheMode) {
  tree_.File("root/run.sh", "old");
  std::filesystem::permissions(tree_.At("root/run.sh"), std::filesystem::perms(0750));
  auto stream = Open().OpenWrite("run.sh");
  *stream << "new";
  ASSERT_TRUE(stream->Commit().has_value());
  EXPECT_EQ(std::filesystem::status(tree_.At("root/run.sh")).permissions(),
            std::filesystem::perms(0750));
}

TEST_P(SafeFileStreamTest, AppendingAddsAtEachFlush) {
  tree_.File("root/log", "1\n");
  auto stream = Open().OpenAppend("log");
  ASSERT_TRUE(stream.has_value());
  *stream << "2\n";
  EXPECT_EQ(tree_.Read("root/log"), "1\n");
  *stream << std::flush;
  EXPECT_EQ(tree_.Read("root/log"), "1\n2\n");
  *stream << "3\n";
  stream->close();
  EXPECT_TRUE(stream->good());
  EXPECT_EQ(tree_.Read("root/log"), "1\n2\n3\n");
}

TEST_P(SafeFileStreamTest, ADroppedAppendIsFlushedAndOutlivesItsWorkspace) {
  {
    auto stream = Open().OpenAppend("log");
    *stream << "kept";
  }
  EXPECT_EQ(tree_.Read("root/log"), "kept");
}

TEST_P(SafeFileStreamTest, AnAppendThatTheNameLeadsOutOfFailsWithItsError) {
  auto stream = Open().OpenAppend("log");
  std::filesystem::remove(tree_.At("root/log"));
  tree_.Link("root/log", "../outside/secret");
  *stream << "x" << std::flush;
  EXPECT_TRUE(stream->bad());
  ASSERT_TRUE(stream->error().has_value());
  EXPECT_EQ(stream->error()->code, ErrorCode::kPathOutsideProject);
  EXPECT_EQ(tree_.Read("outside/secret"), "secret");
}

TEST_P(SafeFileStreamTest, AReadThatTheSystemFailsSetsBadbit) {
  // Nothing is ever mapped at the start of this process's memory.
  const auto workspace = Workspace::Open("/proc/self");
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  auto stream = workspace->OpenRead("mem");
  ASSERT_TRUE(stream.has_value()) << stream.error().detail;
  EXPECT_EQ(stream->get(), EOF);
  EXPECT_TRUE(stream->bad());
  ASSERT_TRUE(stream->error().has_value());
  EXPECT_EQ(stream->error()->os_errno, EIO);
  stream->clear();
  std::vector<char> block(1 << 20);
  stream->read(block.data(), static_cast<std::streamsize>(block.size()));
  EXPECT_TRUE(stream->bad());
}

TEST_P(SafeFileStreamTest, AWriteThatTheSystemFailsSetsBadbitAndIsNotCommitted) {
  tree_.File("root/f", "old");
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    auto stream = Open().OpenWrite("f");
    if (stream) *stream << std::string(200'000, 'x') << std::flush;
    EXPECT_TRUE(stream && stream->bad());
    EXPECT_TRUE(stream && stream->error() && stream->error()->os_errno == EFBIG);
    EXPECT_FALSE(stream && stream->Commit().has_value());
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(tree_.Read("root/f"), "old");
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

TEST_P(SafeFileStreamTest, MovesLikeAnyStream) {
  tree_.File("root/f", "one two");
  const Workspace workspace = Open();
  auto opened = workspace.OpenRead("f");
  std::string text;
  *opened >> text;
  SafeFileStream moved = std::move(*opened);
  EXPECT_FALSE(opened->is_open());
  EXPECT_FALSE(opened->Commit().has_value());
  moved >> text;
  EXPECT_EQ(text, "two");
  auto other = workspace.OpenRead("f");
  moved = std::move(*other);
  moved >> text;
  EXPECT_EQ(text, "one");
}

CORDON_EACH_RESOLVER(SafeFileStreamTest);

}  // namespace
}  // namespace cordon
