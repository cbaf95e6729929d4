#include "http/openapi/tables.h"

#include <algorithm>
#include <array>

namespace understudy::http::openapi {

std::span<const Group> groups() {
    static const std::array all{cluster_group(),       system_group(),      task_group(),         library_group(),
                                item_group(),          media_group(),       user_group(),         session_group(),
                                wizard_group(),        list_group(),        user_data_group(),    absent_group(),
                                configuration_group(), environment_group(), library_edit_group(), name_group(),
                                remote_group(),        server_group(),      show_group(),         picture_group()};
    return all;
}

bool is_page(std::string_view path) noexcept {
    constexpr std::array<std::string_view, 6> pages{
        "/", "/web", "/web/index.html", "/web/{path*}", "/dashboard", "/dashboard/{path*}"};
    return std::ranges::find(pages, path) != pages.end();
}

}  // namespace understudy::http::openapi
