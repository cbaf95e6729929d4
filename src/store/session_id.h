// store/session_id.h: names one user on one device, for as long as they are logged in there. Used by store and http.
#pragma once

#include "core/ids.h"

namespace understudy::store {

using SessionId = core::Id<struct SessionIdTag>;

}  // namespace understudy::store
