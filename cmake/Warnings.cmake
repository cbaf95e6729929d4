# Warnings are errors in our own code; system headers are exempt.
add_library(understudy_warnings INTERFACE)
target_compile_options(understudy_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wconversion -Wsign-conversion
  -Wduplicated-cond -Wlogical-op -Wformat=2 -Wimplicit-fallthrough -Werror
  # Designated initialisers leave members to their defaults on purpose.
  -Wno-missing-field-initializers
  # GCC 12 sees overlaps, overruns and unset values inside inlined std and Boost code that are not there (GCC bugs 105562,
  # 105651, 107852); -Wnull-dereference has the same fault and is not asked for.
  -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
