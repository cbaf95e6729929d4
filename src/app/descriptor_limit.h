// app/descriptor_limit.h: how many files and connections this process may have open. Used once at start.
#pragma once

namespace understudy::app {

/// Takes what the system allows at most: many set 1,024 as a first limit, fewer than the connections that we take.
void raise_descriptor_limit() noexcept;

}  // namespace understudy::app
