#include "store/sql/kept_totals.h"

namespace understudy::store::sql {
namespace {

std::string key_of(const Statement& count) {
    std::string key = count.text;
    struct Visitor {
        std::string& key;
        void operator()(Null) const { key += "n"; }
        void operator()(std::int64_t number) const { key += "i" + std::to_string(number); }
        void operator()(double number) const { key += "r" + std::to_string(number); }
        void operator()(const std::string& text) const { add('t', text); }
        void operator()(const Bytes& bytes) const { add('b', bytes.value); }
        void add(char type, const std::string& text) const { key += type + std::to_string(text.size()) + ':' + text; }
    };
    for (const auto& value : count.values) std::visit(Visitor{key}, value);
    return key;
}

}  // namespace

std::optional<std::size_t> KeptTotals::find(const Statement& count, Instant now) {
    const auto key = key_of(count);
    const std::lock_guard lock(mutex_);
    const auto at = totals_.find(key);
    if (at == totals_.end()) return std::nullopt;
    if (now - at->second.counted_at < kept_for) return at->second.total;
    at->second.counted_at = now;  // the next ones take what is there while this one counts
    return std::nullopt;
}

void KeptTotals::keep(const Statement& count, std::size_t total, Instant now) {
    auto key = key_of(count);
    const std::lock_guard lock(mutex_);
    if (total < least) {
        totals_.erase(key);
        return;
    }
    if (totals_.size() >= most_lists && !totals_.contains(key)) totals_.clear();
    totals_.insert_or_assign(std::move(key), Total{total, now});
}

}  // namespace understudy::store::sql
