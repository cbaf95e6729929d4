// understudy.1 from the tree of commands: what --help says, with one section for each command.
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/command_tree.h"
#include "app/version.h"

namespace understudy::app {
namespace {

/// Text for roff: what looks like a request or an escape is text.
std::string roff(std::string_view text) {
    std::string result;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) result += "\\&";
        line_begins = c == '\n';
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if (c == '\'')
            result += "\\(aq";
        else if (c == '`')
            result += "\\(ga";
        else if (c == '^')
            result += "\\(ha";
        else if (c == '~')
            result += "\\(ti";
        else
            result += c;
    }
    return result;
}

/// Characters beyond ASCII as groff names them, whatever the locale.
std::string ascii(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            result += text[i];
            continue;
        }
        std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        unsigned code = lead & (0x3fU >> more);
        for (; more > 0 && i + 1 < text.size(); --more)
            code = (code << 6U) | (static_cast<unsigned char>(text[++i]) & 0x3fU);
        constexpr const char* digits = "0123456789ABCDEF";
        std::string hex;
        for (; code != 0 || hex.size() < 4; code >>= 4U) hex.insert(hex.begin(), digits[code & 0xfU]);
        result += "\\[u" + hex + "]";
    }
    return result;
}

class Page {
public:
    void line(const std::string& text) { out_ << text << '\n'; }
    void text(std::string_view words) { out_ << ascii(roff(words)) << '\n'; }
    /// As it stands, line by line.
    void verbatim(std::string_view words) {
        if (words.empty()) return;
        line(".PP");
        line(".nf");
        text(words);
        line(".fi");
    }
    void option(const CLI::Option& option) {
        std::string head = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
        for (std::size_t at = head.find(','); at != std::string::npos; at = head.find(',', at + 2))
            head.replace(at, 1, ", ");
        std::string value;
        if (!option.get_positional() && option.get_type_size() != 0)
            value = " \\fI" + ascii(roff(option.get_type_name())) + "\\fR";
        line(".TP");
        line("\\fB" + ascii(roff(head)) + "\\fR" + value);
        auto words = option.get_description();
        if (!option.get_default_str().empty()) words += " (default: " + option.get_default_str() + ")";
        if (!option.get_envname().empty()) words += " (environment: " + option.get_envname() + ")";
        text(words.empty() ? "See above." : words);
    }
    void options(const CLI::App& command) {
        for (const auto* option : command.get_options()) {
            if (!option->get_group().empty() && option->get_name() != "--help") this->option(*option);
        }
    }
    [[nodiscard]] std::string take() const { return out_.str(); }

private:
    std::ostringstream out_;
};

std::string usage_of(const CLI::App& command, const std::string& words) {
    std::string usage = "\\fB" + roff(words) + "\\fR";
    const auto own =
        command.get_options([](const CLI::Option* o) { return o->nonpositional() && o->get_name() != "--help"; });
    if (!own.empty()) usage += " [\\fIOPTIONS\\fR]";
    for (const auto* option : command.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        auto name = "\\fI" + roff(option->get_name(true)) + "\\fR";
        if (option->get_items_expected_max() > 1) name += "...";
        if (command.get_name() == "exec")
            usage += " \\-\\- " + name;
        else
            usage += option->get_required() ? " " + name : " [" + name + "]";
    }
    return usage;
}

std::string own_footer(const CLI::App& command) {
    auto text = command.get_footer();
    if (const auto at = text.find(common_options_line); at != std::string::npos) text.erase(at);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

/// `said`: the footer of the command above, which those below that have none of their own show in their --help.
void section(Page& page, const CLI::App& command, const std::string& before, const std::string& said = "") {
    if (command.get_group().empty()) return;
    const auto words = before + " " + command.get_name();
    const auto below = command.get_subcommands([](const CLI::App*) { return true; });
    page.line(".SS \"" + roff(words) + "\"");
    if (below.empty()) {
        page.line(usage_of(command, words));
        page.line(".PP");
    }
    page.text(command.get_description());
    page.options(command);
    const auto footer = own_footer(command);
    if (footer != said) page.verbatim(footer);
    for (const auto* one : below) section(page, *one, words, footer);
}

}  // namespace

std::string manual_page(const CLI::App& root) {
    Page page;
    page.line(".\\\" from `understudy man`: the tree of commands that \\-\\-help shows");
    page.line(".TH UNDERSTUDY 1 \"\" \"understudy " + std::string(version_text()) + "\" \"User Commands\"");
    page.line(".SH NAME");
    page.line("understudy \\- a media\\-library server that runs as several pods, and its command line");
    page.line(".SH SYNOPSIS");
    page.line("\\fBunderstudy\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR ...");
    page.line(".SH DESCRIPTION");
    page.text(root.get_description());
    page.text(
        "The command line starts a server (serve), asks and steers running ones, and runs commands under a lease "
        "of the cluster's (exec). Each command has --help.");
    page.line(".SH OPTIONS");
    page.line("Of all commands; they may stand before or behind the command.");
    page.options(root);
    page.line(".SH COMMANDS");
    for (const auto* one : root.get_subcommands([](const CLI::App*) { return true; }))
        section(page, *one, "understudy");
    page.line(".SH NOTES");
    page.verbatim(root.get_footer());
    page.line(".SH FILES");
    page.line(".TP");
    page.line("\\fI/var/lib/understudy\\fR");
    page.text("Data of a server that runs as root; else $XDG_DATA_HOME/understudy.");
    page.line(".TP");
    page.line("\\fIadmin.key\\fR");
    page.text("In the data folder: the key that commands use where none is given.");
    return page.take();
}

}  // namespace understudy::app
