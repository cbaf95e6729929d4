#include "http/jellyfin/system/kept_configuration.h"

#include "store/configurations.h"

namespace understudy::http {

core::Result<std::string> kept_section(const Services& services, const ConfigurationSection& section) {
    if (services.system.configurations == nullptr)
        return core::fail(core::Errc::unsupported, "Configurations are not kept here.");
    const auto kept = services.system.configurations->find(std::string(section.key));
    if (!kept) return tl::unexpected(kept.error());
    return kept->value_or("{}");
}

core::Result<void> keep_section(const Services& services, const ConfigurationSection& section,
                                const std::string& json) {
    if (services.system.configurations == nullptr)
        return core::fail(core::Errc::unsupported, "Configurations are not kept here.");
    return services.system.configurations->put(std::string(section.key), json);
}

}  // namespace understudy::http
