#include "http/admin/run_query.h"

#include <algorithm>
#include <vector>

#include "core/text.h"
#include "http/text.h"
#include "tasks/catalogue.h"

namespace understudy::http {

core::Result<std::size_t> limit_of(const Request& request, std::string_view key, std::size_t standard) {
    const auto limit = request.query.count(key);
    if (!limit) return tl::unexpected(limit.error());
    if (*limit && **limit == 0)
        return core::fail(core::Errc::invalid, std::string(key) + ": '0' is not valid; use 1 to 1000");
    return std::min(limit->value_or(standard), largest_limit);
}

core::Result<std::string> task_of(const Request& request) {
    const auto text = request.query.text("task");
    if (text.empty()) return std::string();
    const auto* entry = tasks::find_task(text);
    if (entry) return std::string(entry->key);
    std::vector<std::string> known;
    for (const auto& each : tasks::catalogue()) known.emplace_back(each.key);
    return core::fail(core::Errc::not_found,
                      "task: '" + printable(text) + "' is not known" + core::choices(text, known));
}

}  // namespace understudy::http
