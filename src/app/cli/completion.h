// app/cli/completion.h: what may stand at the end of a command line that is being typed. Used by `understudy
// completion` and, through it, by the shells.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"

namespace understudy::app {

struct Candidate {
    std::string word, description;
    friend bool operator==(const Candidate&, const Candidate&) = default;
};
struct Completion {
    std::vector<Candidate> candidates;
    enum class Paths { none, files, folders, programs } paths = Paths::none;  ///< what the shell may add itself
};
/// Names that only a server knows.
enum class NameKind { task, library, user };
using NameLookup = std::function<std::vector<Candidate>(NameKind)>;

/// `words` as typed behind `understudy`; the last one, which may be empty, is completed.
[[nodiscard]] Completion complete(const CLI::App& root, const std::vector<std::string>& words,
                                  const NameLookup& lookup);
/// Asks the servers of the words typed so far, one second each and two in all; no answer, no names.
[[nodiscard]] NameLookup ask_server_for_names(const std::vector<std::string>& words, CommonOptions common);

/// `completion words -- …`: a candidate a line, a tab before its description, and last `:files` and the like.
void print_completion(std::ostream& out, const Completion& completion);
/// The script that a shell reads at its start; nullopt: no such shell.
[[nodiscard]] std::optional<std::string_view> completion_script(std::string_view shell);

}  // namespace understudy::app
