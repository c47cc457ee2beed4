// Everything that libcordon offers.
#pragma once

#include "cordon/error.h"
#include "cordon/operation.h"
#include "cordon/path_not_allowed.h"
#include "cordon/path_validation.h"
#include "cordon/result.h"
#include "cordon/safe_file_stream.h"
#include "cordon/version.h"
#include "cordon/workspace.h"
