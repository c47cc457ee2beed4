#include <utility>

#include "confine/replacement.h"

void Keep(cordon::confine::Replacement given) {
  cordon::confine::Replacement replacement(std::move(given));
}
