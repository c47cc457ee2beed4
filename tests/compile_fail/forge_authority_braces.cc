// Nor by leaving it to empty braces in a call.
// EXPECT: private
#include "confine/root.h"

cordon::Result<cordon::confine::Root> Open() {
  return cordon::confine::Root::OpenAmbient("/", {}, {});
}
