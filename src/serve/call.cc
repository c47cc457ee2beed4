#include "serve/call.h"

#include <utility>

namespace cordon::serve {

Handler Answering(Answerer answerer) {
  return [answerer = std::move(answerer)](Call& call, const Reply& reply) {
    reply->Send(answerer(call));
  };
}

}  // namespace cordon::serve
