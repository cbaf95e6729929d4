# Every foreign library, found once. A module names the targets it hides (see AddModule.cmake);
# why each is here: docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

set(Boost_NO_WARN_NEW_VERSIONS ON)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(date REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(tl-expected REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
find_package(GTest REQUIRED)

pkg_check_modules(hiredis REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(taglib REQUIRED IMPORTED_TARGET taglib)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(libav REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil)

# SOCI's Debian package has no config file that names its back ends.
find_path(SOCI_INCLUDE_DIR soci/soci.h REQUIRED)
foreach(part core sqlite3 postgresql)
  find_library(SOCI_${part}_LIBRARY soci_${part} REQUIRED)
endforeach()
add_library(soci INTERFACE)
target_include_directories(soci SYSTEM INTERFACE ${SOCI_INCLUDE_DIR} ${SOCI_INCLUDE_DIR}/soci)
target_link_libraries(soci INTERFACE ${SOCI_core_LIBRARY} ${SOCI_sqlite3_LIBRARY} ${SOCI_postgresql_LIBRARY}
                                     PkgConfig::libpq PkgConfig::sqlite3)
