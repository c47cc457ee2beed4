#include "net/http_text.h"

#include <gtest/gtest.h>

#include "net/http_message.h"
#include "net/request_check.h"

namespace cordon::net {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;

TEST(HttpFields, AreFoundWhateverTheCaseAndWithoutBlanks) {
  HttpFields fields = {{"Host", " a\t"}, {"hOST", "b"}};
  EXPECT_EQ(fields.Find("HOST"), "a");
  EXPECT_EQ(fields.Count("host"), 2U);
  EXPECT_EQ(fields.Find("Hos"), std::nullopt);
  fields.Add("Empty", "  ");
  EXPECT_EQ(fields.Find("empty"), "");
}

TEST(HttpText, WritesDatesAsTheProtocolWantsThem) {
  EXPECT_EQ(DateText(system_clock::time_point(seconds(784111777))),
            "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(DateText(system_clock::time_point(seconds(951782400))),
            "Tue, 29 Feb 2000 00:00:00 GMT");
}

TEST(HttpText, LetsNoFieldBreakOut) {
  HttpResponse response;
  response.fields.Add("X", "a\r\nSet-Cookie: b\n\nc");
  const std::string text = HeadText(response, {});
  EXPECT_EQ(text.find("\nSet-Cookie"), std::string::npos);
  EXPECT_EQ(text.find("\r\n\r\n"), text.size() - 4);
}

TEST(HttpText, WritesChunks) { EXPECT_EQ(ChunkText(std::string(26, 'x')).substr(0, 5), "1a\r\nx"); }

HttpRequest With(HttpFields fields) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/";
  request.fields = std::move(fields);
  return request;
}

TEST(RequestCheck, RefusesWhatTwoReadersCouldReadInTwoWays) {
  const auto status = [](HttpFields fields, HttpVersion version = HttpVersion::k11) {
    const auto fault = CheckHead(With(std::move(fields)), version);
    return fault ? fault->status : 0;
  };
  EXPECT_EQ(status({{"Host", "a"}}), 0);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", "5"}}), 0);
  EXPECT_EQ(status({{"Host", "a"}, {"Transfer-Encoding", "Chunked"}}), 0);
  EXPECT_EQ(status({}, HttpVersion::k10), 0);
  EXPECT_EQ(status({}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Host", "a"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", "5"}, {"Content-Length", "5"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", "5, 5"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", "+5"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", ""}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}),
            400);
  EXPECT_EQ(status({{"Host", "a"}, {"Transfer-Encoding", "gzip, chunked"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Transfer-Encoding", "xchunked"}}), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Transfer-Encoding", "chunked"}}, HttpVersion::k10), 400);
  EXPECT_EQ(status({{"Host", "a"}, {"Expect", "a miracle"}}), 417);
}

}  // namespace
}  // namespace cordon::net
