// Files as resources: only what the tools would tell, too.
#include <condition_variable>
#include <filesystem>

#include "mcp_tools/file_uri.h"
#include "tests/mcp_tools/service_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using mcp_tools::PathOfUri;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FileUris, OfThisHostOnly) {
  EXPECT_EQ(PathOfUri("file:///a/b%20c"), "/a/b c");
  EXPECT_EQ(PathOfUri("FILE://LocalHost/a"), "/a");
  EXPECT_EQ(PathOfUri("file:/a"), "/a");
  EXPECT_EQ(PathOfUri("file:///a/./b/../c/"), "/a/c");
  EXPECT_EQ(PathOfUri("file:///../../a"), "/a");
  EXPECT_EQ(PathOfUri("file:///a/%2e%2e/b"), "/b");
  for (const char* const uri :
       {"", "file:", "file:a", "file://host/a", "file://localhostx/a", "file://", "http:///a",
        "file:///a?b", "file:///a#b", "file:///%", "file:///a%00b", "/a", "file://../a"}) {
    EXPECT_EQ(PathOfUri(uri), std::nullopt) << uri;
  }
}

class FileResources : public ServiceTest {
 protected:
  std::string UriOf(const std::string& below) const { return "file://" + At(below); }
  std::vector<std::string> Listed(mcp::Exchange& exchange) {
    std::vector<std::string> names;
    std::optional<std::string> cursor;
    do {
      const auto page = service_->ListResources(exchange, cursor);
      EXPECT_TRUE(page) << page.error().message;
      if (!page) break;
      ++pages_;
      for (const json::value& item : page->items) {
        names.emplace_back(item.at("uri").as_string().subview(UriOf("").size()));
      }
      cursor = page->next;
    } while (cursor);
    return names;
  }
  std::string ReadCode(mcp::Exchange& exchange, const std::string& uri) {
    const auto read = service_->ReadResource(exchange, uri);
    return read ? "read" : std::to_string(static_cast<int>(read.error().code));
  }
  std::vector<std::string> Completed(mcp::Exchange& exchange, const std::string& value) {
    const auto found = service_->Complete(
        exchange, {mcp::CompletionRequest::Of::kResource, "file:///{+path}", "path", value});
    EXPECT_TRUE(found);
    return found ? found->values : std::vector<std::string>();
  }
  int pages_ = 0;
};

TEST_F(FileResources, AreListedInOrderWithoutWhatIsIgnored) {
  WriteFile(At("w/sub/b"), "x");
  WriteFile(At("w/sub.c"), "x");
  WriteFile(At("w/.hidden"), "x");
  WriteFile(At("w/skipped"), "x");
  WriteFile(At("w/.ignore"), "skipped\n");
  std::filesystem::create_symlink(At("o/f"), At("w/link"));
  Serve();
  const auto client = Joined();
  EXPECT_THAT(Listed(*client), ElementsAre("w/a", "w/sub/b", "w/sub.c"));
}

TEST_F(FileResources, AreListedWithSizeAndType) {
  WriteFile(At("w/sub/picture"), "\x89PNG\r\n\x1a\n");
  WriteFile(At("w/bytes"), std::string("\0\xff", 2));
  WriteFile(
      At("w/cut"), "x" + [] {
        std::string text;
        for (int i = 0; i < 1000; ++i) text += "\xc3\xa4";
        return text;
      }());
  WriteFile(At("w/latin"), "\xe4");
  WriteFile(At("w/locked"), "secret");
  std::filesystem::permissions(At("w/locked"), std::filesystem::perms::none);
  WriteFile(At("w/none"), "");
  Serve();
  const auto client = Joined();
  const auto page = service_->ListResources(*client, std::nullopt);
  ASSERT_TRUE(page);
  std::map<std::string, std::string> told;
  for (const json::value& item : page->items) {
    const json::object& one = item.as_object();
    const auto text = [&](const char* name) {
      return one.contains(name) ? json::serialize(one.at(name)) : std::string("-");
    };
    told[std::string(one.at("name").as_string())] = text("size") + " " + text("mimeType");
  }
  EXPECT_EQ(told["a"], "6 \"text/plain\"");
  EXPECT_EQ(told["picture"], "8 \"image/png\"");
  EXPECT_EQ(told["bytes"], "2 -");
  EXPECT_EQ(told["cut"], "2001 \"text/plain\"");
  EXPECT_EQ(told["latin"], "1 -");
  EXPECT_EQ(told["none"], "0 \"text/plain\"");
  EXPECT_TRUE(told.contains("locked"));
}

TEST_F(FileResources, AreListedPageByPage) {
  for (int i = 0; i < 1203; ++i) WriteFile(At("w/sub/" + std::to_string(10000 + i)), "");
  Serve();
  const auto client = Joined();
  const std::vector<std::string> all = Listed(*client);
  EXPECT_EQ(pages_, 3);
  EXPECT_EQ(all.size(), 1204u);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(service_->ListResources(*client, "nonsense").error().code,
            mcp::RpcCode::kInvalidParams);
}

TEST_F(FileResources, AreReadAsTextOrBytes) {
  WriteFile(At("w/bin"), std::string("\0\xff", 2));
  Serve();
  const auto client = Joined();
  const auto text = service_->ReadResource(*client, UriOf("w/a"));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->at(0),
            (json::value{{"uri", UriOf("w/a")}, {"mimeType", "text/plain"}, {"text", "inside"}}));
  const auto bytes = service_->ReadResource(*client, UriOf("w/bin"));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->at(0).at("blob").as_string(), "AP8=");
  EXPECT_EQ(Records(audit::Event::kFileRead).size(), 2u);
}

TEST_F(FileResources, OutsideAndDeniedIsNotFound) {
  std::filesystem::create_symlink(At("o/f"), At("w/link"));
  Serve();
  const auto client = Joined();
  for (const char* const below : {"w/none", "w/.env", "w/link", "w/sub", "o/f", "o/none"}) {
    const auto read = service_->ReadResource(*client, UriOf(below));
    ASSERT_FALSE(read) << below;
    EXPECT_EQ(read.error().code, mcp::RpcCode::kResourceNotFound) << below;
  }
  // There or not: outside looks the same.
  const auto there = service_->ReadResource(*client, UriOf("o/f")).error().message;
  EXPECT_EQ(
      there.substr(0, there.find("o/f")),
      service_->ReadResource(*client, UriOf("o/nn")).error().message.substr(0, there.find("o/f")));
  EXPECT_EQ(ReadCode(*client, "file://elsewhere" + At("w/a")), "-32602");
  EXPECT_EQ(ReadCode(*client, "http://localhost/a"), "-32602");
  EXPECT_EQ(ReadCode(*client, "file://" + At("w/sub/%2e%2e/a")), "read");
  EXPECT_EQ(ReadCode(*client, "file://" + At("w/%2e%2e/o/f")), "-32002");
}

TEST_F(FileResources, TooLargeSaysSo) {
  std::filesystem::resize_file(At("w/a"), mcp_tools::kMaxResource + 1);
  Serve();
  const auto client = Joined();
  const auto read = service_->ReadResource(*client, UriOf("w/a"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, mcp::RpcCode::kInvalidParams);
  EXPECT_THAT(read.error().message, HasSubstr("bytes at most"));
}

TEST_F(FileResources, PathsAreCompletedInsideOnly) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const auto client =
      Joined([](std::string_view, const json::object&) { return Accepted("once"); });
  const std::string top = At("").substr(1);
  EXPECT_THAT(Completed(*client, top), ElementsAre(top + "w/"));
  EXPECT_THAT(Completed(*client, "/" + top), ElementsAre("/" + top + "w/"));
  EXPECT_THAT(Completed(*client, top + "w/"), ElementsAre(top + "w/a", top + "w/sub/"));
  EXPECT_THAT(Completed(*client, top + "w/s"), ElementsAre(top + "w/sub/"));
  EXPECT_THAT(Completed(*client, top + "o/"), ElementsAre());
  EXPECT_THAT(Completed(*client, top + "w/../o/"), ElementsAre());
  EXPECT_TRUE(client->asked.empty());
  for (int i = 0; i < 150; ++i) WriteFile(At("w/sub/" + std::to_string(i)), "");
  EXPECT_EQ(Completed(*client, top + "w/sub/").size(), 100u);
}

// Waits for changes to be told.
class Listener {
 public:
  explicit Listener(mcp::Hub& hub)
      : handle_(hub.Listen([this](const mcp::Change& change) {
          const std::lock_guard lock(mutex_);
          uris_.push_back(change.uri);
          changed_.notify_all();
        })) {}
  bool Hears(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return uris_.size() >= count; });
  }
  std::vector<std::string> heard() {
    const std::lock_guard lock(mutex_);
    return uris_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> uris_;
  mcp::Hub::Handle handle_;
};

TEST_F(FileResources, ChangesAreTold) {
  Serve();
  const auto client = Joined();
  Listener listener(hub_);
  auto lease = service_->Subscribe(*client, UriOf("w/a"));
  ASSERT_TRUE(lease) << lease.error().message;
  WriteFile(At("w/a"), "written");
  ASSERT_TRUE(listener.Hears(1));
  std::filesystem::remove(At("w/a"));
  ASSERT_TRUE(listener.Hears(2));
  WriteFile(At("w/other"), "next");
  std::filesystem::rename(At("w/other"), At("w/a"));
  ASSERT_TRUE(listener.Hears(3));
  for (const std::string& uri : listener.heard()) EXPECT_EQ(uri, UriOf("w/a"));
  lease->reset();
  const std::size_t before = listener.heard().size();
  WriteFile(At("w/a"), "again");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(listener.heard().size(), before);
}

TEST_F(FileResources, NothingElseIsWatched) {
  std::filesystem::create_symlink(At("o/f"), At("w/link"));
  Serve();
  const auto client = Joined();
  for (const char* const below : {"w/.env", "w/none", "w/link", "w/sub", "o/f"}) {
    const auto lease = service_->Subscribe(*client, UriOf(below));
    ASSERT_FALSE(lease) << below;
    EXPECT_EQ(lease.error().code, mcp::RpcCode::kResourceNotFound) << below;
  }
}

TEST_F(FileResources, AsManyAreWatchedAsMayBe) {
  Serve();
  const auto client = Joined();
  std::vector<mcp::Service::Lease> leases;
  for (std::size_t i = 0; i < mcp_tools::kMostWatched; ++i) {
    auto lease = service_->Subscribe(*client, UriOf("w/a"));
    ASSERT_TRUE(lease);
    leases.push_back(std::move(*lease));
  }
  EXPECT_FALSE(service_->Subscribe(*client, UriOf("w/a")));
  leases.pop_back();
  EXPECT_TRUE(service_->Subscribe(*client, UriOf("w/a")));
}

}  // namespace
}  // namespace cordon::testing
