set(UNDERSTUDY_SANITIZE "" CACHE STRING "sanitizers for every target: address,undefined or thread")
if(UNDERSTUDY_SANITIZE)
  add_compile_options(-fsanitize=${UNDERSTUDY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1)
  add_link_options(-fsanitize=${UNDERSTUDY_SANITIZE})
  # GCC 12 warns of atomic_thread_fence under TSan inside Boost.Asio.
  if(UNDERSTUDY_SANITIZE STREQUAL "thread")
    add_compile_options(-Wno-tsan)
  endif()
endif()
