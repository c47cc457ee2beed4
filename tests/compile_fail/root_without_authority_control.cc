#include "confine/root.h"

cordon::Result<cordon::confine::Root> Open(cordon::confine::AmbientAuthority authority) {
  return cordon::confine::Root::OpenAmbient("/", {}, authority);
}
