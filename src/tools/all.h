// The tools by name; each is defined in the file of its name.
#pragma once

#include "tools/tool.h"

namespace cordon::tools {

extern const Tool kReadFile, kReadFiles;
extern const Tool kWriteFile, kAppendFile, kInsertLines;
extern const Tool kEditFile, kReplace, kApplyPatch;
extern const Tool kCreateDirectory, kDeletePath, kMovePath, kCopyPath;
extern const Tool kFileInfo, kListDirectory, kListRoots;
extern const Tool kUndo, kHistory;
extern const Tool kGlob, kGrep;
extern const Tool kBash, kBashOutput, kBashStop;

}  // namespace cordon::tools
