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
find_package(pugixml REQUIRED)
find_package(GTest REQUIRED)

pkg_check_modules(hiredis REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(taglib REQUIRED IMPORTED_TARGET taglib)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(libav REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil)
