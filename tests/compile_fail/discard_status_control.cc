#include "confine/file.h"

bool Look(cordon::confine::File& file) { return file.Write("bytes").has_value(); }
