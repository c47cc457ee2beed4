// Answers as the reference file server words them.
#pragma once

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// Stands before the text of a file that has one; ours tell it apart.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Whatever the text, as its structured result has it: {"content": text}.
boost::json::object ContentData(const Answer& ours, const Scene& scene, std::string_view text);

std::string McpContent(const Answer& ours, const Scene& scene);  // read_text_file
std::string McpFiles(const Answer& ours, const Scene& scene);    // read_multiple_files
std::string NoText(const Answer& ours, const Scene& scene);      // read_media_file
boost::json::object McpMedia(const Answer& ours, const Scene& scene, std::string_view text);

std::string McpEdited(const Answer& ours, const Scene& scene);

std::string McpListing(const Answer& ours, const Scene& scene);
std::string McpSizedListing(const Answer& ours, const Scene& scene);
std::string McpTree(const Answer& ours, const Scene& scene);
std::string McpFound(const Answer& ours, const Scene& scene);  // search_files
std::string McpInfo(const Answer& ours, const Scene& scene);
std::string McpRoots(const Answer& ours, const Scene& scene);

}  // namespace cordon::tools::dialect
