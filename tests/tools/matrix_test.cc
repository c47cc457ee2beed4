// Every tool on everything a path may lead to.
#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;

// The kinds, and for each tool what comes of it.
const char* const kKinds[] = {"file",     "directory", "link",     "out",      "dangling",
                              "fifo",     "socket",    "missing",  "denied",   "outside",
                              "absolute", "nul",       "longname", "readonly", "hardlink"};

struct Row {
  const char* tool;
  const char* rest;                          // arguments beside the path
  std::map<std::string, std::string> codes;  // "" of the rest
};

class Matrix : public ToolTest {
 protected:
  Matrix() {
    WriteFile(At("w/file"), "one\ntwo\n");
    EXPECT_EQ(::mkdir(At("w/directory").c_str(), 0755), 0);
    EXPECT_EQ(::symlink("file", At("w/link").c_str()), 0);
    EXPECT_EQ(::symlink("../o/f", At("w/out").c_str()), 0);
    EXPECT_EQ(::symlink("nowhere/at/all", At("w/dangling").c_str()), 0);
    EXPECT_EQ(::mkfifo(At("w/fifo").c_str(), 0644), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s", At("w/socket").c_str());
    EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(fd);
    WriteFile(At("w/readonly"), "fixed");
    EXPECT_EQ(::chmod(At("w/readonly").c_str(), 0444), 0);
    EXPECT_EQ(::link(At("o/g").c_str(), At("w/hardlink").c_str()), 0);
  }
  static std::string PathOf(std::string_view kind) {
    if (kind == "denied") return ".env";
    if (kind == "outside") return "../o/f";
    if (kind == "absolute") return "/etc/passwd";
    if (kind == "nul") return std::string("fi\0le", 5);
    if (kind == "longname") return std::string(256, 'n');
    return std::string(kind);
  }
  std::string Run(const Row& row, const std::string& field, const std::string& kind) {
    json::object arguments = json::parse(row.rest).as_object();
    arguments[field] = PathOf(kind);
    const tools::Outcome outcome = Call(row.tool, arguments);
    if (!outcome) {
      const json::object error = tools::ErrorObject(outcome.error());
      const std::string text = json::serialize(error);
      EXPECT_EQ(text.find(At("o")), std::string::npos) << "tells where it leads: " << text;
      EXPECT_FALSE(error.at("message").as_string().empty());
      EXPECT_FALSE(error.at("aiMessage").as_string().empty());
    }
    return CodeOf(outcome);
  }
};

// What every tool says of a path that never could be.
std::string ForAll(const std::string& kind) {
  if (kind == "out" || kind == "outside" || kind == "absolute") return "PATH_OUTSIDE_PROJECT";
  if (kind == "denied") return "PATH_DENIED";
  if (kind == "nul") return "INVALID_PATH";
  return "";
}

// Each kind in a tree of its own, so that one call does not change what the next one meets.
class EachKind : public Matrix, public ::testing::WithParamInterface<const char*> {};

TEST_P(EachKind, GivesItsCode) {
  const std::string kind = GetParam();
  const std::vector<Row> rows{
      {"read_file",
       "{}",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"file_info",
       "{}",
       {{"file", "done"},
        {"directory", "done"},
        {"link", "done"},
        {"out", "done"},
        {"dangling", "done"},
        {"fifo", "done"},
        {"socket", "done"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "done"}}},
      {"list_directory",
       "{}",
       {{"file", "NOT_A_DIRECTORY"},
        {"directory", "done"},
        {"link", "NOT_A_DIRECTORY"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_DIRECTORY"},
        {"socket", "NOT_A_DIRECTORY"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "NOT_A_DIRECTORY"},
        {"hardlink", "NOT_A_DIRECTORY"}}},
      {"grep",
       R"({"pattern": "one"})",
       {{"file", "done"},
        {"directory", "done"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_DIRECTORY"},
        {"socket", "NOT_A_DIRECTORY"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"glob",
       R"({"pattern": "**"})",
       {{"file", "done"},
        {"directory", "done"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_DIRECTORY"},
        {"socket", "NOT_A_DIRECTORY"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"insert_lines",
       R"({"line": 0, "content": "x"})",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"edit_file",
       R"({"edits": [{"old": "\\A", "new": "x", "regex": true}]})",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"replace",
       R"({"old_string": "\\A", "new_string": "x", "regex": true})",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"append_file",
       R"({"content": "x"})",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "done"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"write_file",
       R"({"content": "x"})",
       {{"file", "done"},
        {"directory", "IS_A_DIRECTORY"},
        {"link", "done"},
        {"dangling", "NOT_FOUND"},
        {"fifo", "NOT_A_REGULAR_FILE"},
        {"socket", "NOT_A_REGULAR_FILE"},
        {"missing", "done"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "PATH_DENIED"}}},
      {"create_directory",
       "{}",
       {{"file", "ALREADY_EXISTS"},
        {"directory", "done"},
        {"link", "ALREADY_EXISTS"},
        {"dangling", "ALREADY_EXISTS"},
        {"fifo", "ALREADY_EXISTS"},
        {"socket", "ALREADY_EXISTS"},
        {"missing", "done"},
        {"longname", "INVALID_PATH"},
        {"readonly", "ALREADY_EXISTS"},
        {"hardlink", "ALREADY_EXISTS"},
        {"out", "PATH_OUTSIDE_PROJECT"}}},
      {"delete_path",
       "{}",
       {{"file", "done"},
        {"directory", "done"},
        {"link", "done"},
        {"out", "done"},
        {"dangling", "done"},
        {"fifo", "done"},
        {"socket", "done"},
        {"missing", "NOT_FOUND"},
        {"longname", "INVALID_PATH"},
        {"readonly", "done"},
        {"hardlink", "done"}}},
  };
  for (const Row& row : rows) {
    const auto known = row.codes.find(kind);
    const std::string wanted = known == row.codes.end() ? ForAll(kind) : known->second;
    EXPECT_EQ(Run(row, "path", kind), wanted) << row.tool;
    // What an earlier tool of the list changed is put right for the next one.
    WriteFile(At("w/file"), "one\ntwo\n");
    if (kind == "missing") std::filesystem::remove_all(At("w/missing"));
  }
  EXPECT_EQ(ReadFile(At("o/f")), "outside");
  EXPECT_EQ(ReadFile(At("o/g")), "other");
}

TEST_P(EachKind, AsASource) {
  const std::string kind = GetParam();
  const std::map<std::string, std::string> copied{
      {"file", "done"},           {"directory", "IS_A_DIRECTORY"}, {"link", "done"},
      {"dangling", "NOT_FOUND"},  {"fifo", "NOT_A_REGULAR_FILE"},  {"socket", "NOT_A_REGULAR_FILE"},
      {"missing", "NOT_FOUND"},   {"longname", "INVALID_PATH"},    {"readonly", "done"},
      {"hardlink", "PATH_DENIED"}};
  const std::map<std::string, std::string> moved{
      {"file", "done"},     {"directory", "done"},    {"link", "done"},
      {"out", "done"},      {"dangling", "done"},     {"fifo", "done"},
      {"socket", "done"},   {"missing", "NOT_FOUND"}, {"longname", "INVALID_PATH"},
      {"readonly", "done"}, {"hardlink", "done"}};
  for (const auto& [tool, codes] : {std::pair("copy_path", copied), {"move_path", moved}}) {
    const auto known = codes.find(kind);
    const Row row{tool,
                  tool == std::string("copy_path") ? R"({"destination": "c/x"})"
                                                   : R"({"destination": "m/x"})",
                  {}};
    EXPECT_EQ(Run(row, "source", kind), known == codes.end() ? ForAll(kind) : known->second)
        << tool;
  }
  // A failed call leaves no directory that it made on the way.
  EXPECT_EQ(Exists(At("w/c")), Exists(At("w/c/x")));
  EXPECT_EQ(Exists(At("w/m")), Exists(At("w/m/x")));
}

INSTANTIATE_TEST_SUITE_P(Tools, EachKind, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return std::string(info.param); });

// Odd names go in and come back as they are.
TEST_F(Matrix, OddNames) {
  const std::string names[] = {"new\nline",
                               "quo\"te",
                               "back\\slash",
                               "tab\t",
                               "emoji \xF0\x9F\x98\x80",
                               "-rf",
                               " ",
                               std::string(255, 'x'),
                               "invalid \xFF\xFE",
                               "per%cent"};
  for (const std::string& name : names) {
    json::object arguments;
    tools::AddPath(arguments, "path", name);
    arguments["content"] = "odd";
    ASSERT_EQ(CodeOf(Call("write_file", arguments)), "done") << name;
    EXPECT_EQ(ReadFile(At("w/" + name)), "odd");
    arguments.erase("content");
    const tools::Outcome read = Call("read_file", arguments);
    ASSERT_EQ(CodeOf(read), "done") << name;
    EXPECT_EQ(read->data.at("path"), arguments.at("path"));
    EXPECT_EQ(read->data.at("content").as_string(), "odd");
    EXPECT_EQ(CodeOf(Call("delete_path", arguments)), "done") << name;
    EXPECT_FALSE(Exists(At("w/" + name)));
  }
}

TEST_F(Matrix, ListedNamesComeBackIn) {
  WriteFile(At("w/sub/invalid \xFF"), "here");
  const tools::Outcome listed = Call("list_directory", R"({"path": "sub"})");
  ASSERT_TRUE(listed);
  const json::object& entry = listed->data.at("entries").as_array().at(0).as_object();
  EXPECT_EQ(entry.at("path_encoding").as_string(), "percent");
  json::object arguments;
  arguments["path"] = "sub/" + std::string(entry.at("path").as_string());
  arguments["path_encoding"] = "percent";
  EXPECT_EQ(CodeOf(Call("read_file", arguments)), "done");
}

}  // namespace
}  // namespace cordon::testing
