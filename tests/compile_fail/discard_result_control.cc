#include "cordon/result.h"

cordon::Result<int> Ask();
bool Look() { return Ask().has_value(); }
