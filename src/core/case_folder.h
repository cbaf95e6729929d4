// core/case_folder.h: what people called something, without case: whether two names are one, for search and order, the
// same whatever the database. Used by the SQL adapters and by library.
#pragma once

#include <locale.h>

#include <string>
#include <string_view>

namespace understudy::core {

/// SQLite folds ASCII only and PostgreSQL what its locale says, so keys are made here: character by character to lower
/// case by Unicode's simple mapping (glibc's C.UTF-8). Safe from any thread.
class CaseFolder {
public:
    CaseFolder();
    CaseFolder(const CaseFolder&) = delete;
    CaseFolder& operator=(const CaseFolder&) = delete;
    ~CaseFolder();
    /// Valid UTF-8 comes out, whatever goes in.
    [[nodiscard]] std::string fold(std::string_view text) const;
    /// What two spellings of a name share: without case, blanks single, none around it; at most longest_key of it.
    [[nodiscard]] std::string name_key(std::string_view name) const;

private:
    locale_t locale_;  // null: ASCII only (a system without C.UTF-8)
};

}  // namespace understudy::core
