# cmake -DOUT=file.cpp "-DFILES=a.sql;b.sql" -P EmbedMigrations.cmake: writes the SQL files into a C++ source (store/sql/migrations.h).
set(rows "")
list(SORT FILES)
set(last "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_([a-z0-9_]+)$")
    message(FATAL_ERROR "${file}: migrations are named NNNN_name.sql")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(title ${CMAKE_MATCH_2})
  if(number STREQUAL last)
    message(FATAL_ERROR "${file}: the number ${number} is taken twice")
  endif()
  set(last ${number})
  math(EXPR plain "1${number} - 10000")
  file(READ ${file} sql)
  string(APPEND rows "    {${plain}, \"${title}\", R\"__sql__(${sql})__sql__\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by cmake/EmbedMigrations.cmake.
#include <array>

#include \"store/sql/migrations.h\"

namespace understudy::store::sql {
namespace {
constexpr auto list = std::to_array<EmbeddedMigration>({
${rows}});
}  // namespace

std::span<const EmbeddedMigration> embedded_migrations() noexcept { return list; }

}  // namespace understudy::store::sql
")
