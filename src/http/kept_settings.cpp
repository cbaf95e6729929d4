#include "http/kept_settings.h"

namespace understudy::http {

core::Result<KeptSettings::Values> KeptSettings::all() {
    const auto asked_at = clock_.now();
    std::uint64_t before = 0;
    {
        const std::lock_guard lock(mutex_);
        before = changes_;
    }
    auto values = stored_.all();
    const std::lock_guard lock(mutex_);
    if (values && before == changes_) {
        values_ = *values;
        read_at_ = asked_at;
    }
    return values;
}

core::Result<void> KeptSettings::set(const Values& values) {
    const auto forget = [&] {
        const std::lock_guard lock(mutex_);
        values_.reset();
        ++changes_;
    };
    forget();
    auto done = stored_.set(values);
    forget();  // what was read meanwhile may be what was before
    return done;
}

std::optional<KeptSettings::Values> KeptSettings::recent() const {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    if (!values_ || now.boot - read_at_.boot >= kept_for) return std::nullopt;
    return values_;
}

std::string name_of_server(const KeptSettings::Values& settings, const std::string& own) {
    const auto at = settings.find(store::setting::server_name);
    return at == settings.end() || at->second.empty() ? own : at->second;
}

}  // namespace understudy::http
