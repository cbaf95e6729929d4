# add_module(NAME SOURCES … USES module … HIDES target …)
# One static library for each room of src/. USES are modules whose headers ours may name (tools/check_layers.py has the
# same table and fails where they differ); HIDES are foreign libraries that stay inside the .cpp files.
function(add_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;HIDES;SHOWS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${arg_USES} ${arg_SHOWS} tl::expected Threads::Threads
                                PRIVATE understudy_warnings ${arg_HIDES})
endfunction()

# add_suite(NAME SOURCES … USES … [LABELS …] [WHOLE]): one GoogleTest program; each TEST becomes a ctest of its own, or, with
# WHOLE, the program is one: where its tests share what is slow to start (a PostgreSQL server).
function(add_suite name)
  cmake_parse_arguments(arg "WHOLE" "TIMEOUT" "SOURCES;USES;HIDES;LABELS;PROPERTIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  set_property(GLOBAL APPEND PROPERTY UNDERSTUDY_SUITE_FILES ${files})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_USES} ${arg_HIDES} GTest::gtest GTest::gmock GTest::gtest_main
                                        understudy_warnings)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ${arg_PROPERTIES})
    return()
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ${arg_PROPERTIES})
endfunction()
