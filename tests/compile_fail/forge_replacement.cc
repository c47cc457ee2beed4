// A Replacement names its target by descriptor; only Root knows which.
// EXPECT: private
#include "confine/replacement.h"

void Make() { cordon::confine::Replacement replacement; }
