// understudy man, understudy completion.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "app/cli/command_tree.h"
#include "app/cli/completion.h"

namespace understudy::app {

void add_words_commands(CLI::App& root, Action& chosen) {
    root.add_subcommand("man", "print the manual page, understudy.1")
        ->footer("Example: understudy man | man -l -")
        ->callback([&root, &chosen] {
            chosen = [&root](Command& command) {
                command.out() << manual_page(root);
                return 0;
            };
        });
    auto* sub = root.add_subcommand("completion", "print a shell's completion script");
    auto shell = std::make_shared<std::string>();
    sub->add_option("SHELL", *shell, "which shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    sub->footer(
        "Examples:\n  . <(understudy completion bash)\n"
        "  understudy completion zsh >\"${fpath[1]}/_understudy\"\n"
        "  understudy completion fish >~/.config/fish/completions/understudy.fish\n"
        "Installed packages have them in place. Names of tasks, libraries and users are asked of the server that\n"
        "--url (UNDERSTUDY_URL) names, for a second.");
    sub->callback([&chosen, shell] {
        chosen = [shell](Command& command) {
            command.out() << *completion_script(*shell);
            return 0;
        };
    });
}

}  // namespace understudy::app
