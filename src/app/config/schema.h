// app/config/schema.h: every setting there is, as data: what it is called, what it takes, what it means. Reading,
// checking, `config show` and docs/configuration.md all come from here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::app {

enum class SettingType { text, path, boolean, integer, seconds, milliseconds, days, choice, list, address };

struct SettingSpec {
    std::string_view key;  ///< `Jellyfin:ScanLeader:Enabled`
    SettingType type = SettingType::text;
    std::string_view default_text;  ///< as an operator would write it; `(…)` where it hangs on other settings
    std::string_view allowed;       ///< for people: `3 .. 86400 seconds`
    std::string_view meaning;
    bool secret = false;              ///< masked by `config show`; may come from a file (`…File`, `…_FILE`)
    double minimum = 0, maximum = 0;  ///< numbers; both 0: not bounded here
    std::string_view choices = {};    ///< `a|b`: in the spelling that is shown
};

[[nodiscard]] std::span<const SettingSpec> settings_schema() noexcept;
/// The setting of a key in any case, with `Jellyfin:Tasks:<Key>:Misfire` known for each task of the catalogue and list
/// keys without their index. nullopt: unknown.
struct KnownKey {
    const SettingSpec* spec = nullptr;
    std::string key;                   ///< canonical spelling
    std::optional<std::size_t> index;  ///< of a list element: `GatedTaskKeys:0`
    bool from_file = false;            ///< the key names a file that holds the value (`BootstrapKeyFile`)
};
[[nodiscard]] std::optional<KnownKey> find_setting(std::string_view key);
/// All keys, for «did you mean».
[[nodiscard]] const std::vector<std::string>& known_keys();

}  // namespace understudy::app
