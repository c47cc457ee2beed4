// The name of a question.
#pragma once

#include <string>

namespace cordon::consent {

// 128 random bits as 32 hexadecimal digits: never given twice, and nobody who has not
// been told it can name the question in an answer. May run concurrently.
std::string NewQuestionId();

}  // namespace cordon::consent
