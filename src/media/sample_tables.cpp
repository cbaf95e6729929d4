#include "media/sample_tables.h"

#include <array>
#include <cstdlib>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace understudy::media {

namespace {

constexpr int most_boxes = 10'000;
constexpr std::int64_t most_table_bytes = std::int64_t{64} * 1024 * 1024;
constexpr std::uint64_t most_samples = 50'000'000;  // 9 days at 60 a second
constexpr std::int64_t most_offset = 1 << 27;       // beyond, libavformat takes them for broken

struct Box {
    std::array<char, 4> type{};
    std::int64_t from = 0, to = 0;  ///< of what is in it
    [[nodiscard]] bool is(std::string_view name) const { return std::string_view(type.data(), type.size()) == name; }
};

std::uint64_t number(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 0;
    for (const auto byte : bytes) value = value << 8 | byte;
    return value;
}

/// Calls `visit` for each box between `from` and `to` until it returns true. False: something there is no box.
bool each_box(ByteSource& bytes, std::int64_t from, std::int64_t to, const std::function<bool(const Box&)>& visit) {
    int count = 0;
    while (from + 8 <= to) {
        std::array<std::uint8_t, 16> head{};
        if (++count > most_boxes || bytes.read(from, head) < 8) return false;
        const std::span view(head);
        std::uint64_t size = number(view.first(4));
        std::int64_t head_bytes = 8;
        if (size == 1) size = number(view.subspan(8, 8)), head_bytes = 16;
        if (size == 0) size = static_cast<std::uint64_t>(to - from);
        if (size < static_cast<std::uint64_t>(head_bytes) || size > static_cast<std::uint64_t>(to - from)) return false;
        Box box{.from = from + head_bytes, .to = from + static_cast<std::int64_t>(size)};
        for (std::size_t i = 0; i < 4; ++i) box.type[i] = static_cast<char>(head[4 + i]);
        if (visit(box)) return true;
        from = box.to;
    }
    return true;
}

std::optional<Box> child(ByteSource& bytes, const Box& parent, std::string_view name) {
    std::optional<Box> found;
    each_box(bytes, parent.from, parent.to, [&](const Box& box) {
        if (box.is(name)) found = box;
        return found.has_value();
    });
    return found;
}

std::optional<std::uint32_t> track_id_of(ByteSource& bytes, const Box& track) {
    const auto head = child(bytes, track, "tkhd");
    std::array<std::uint8_t, 24> fields{};
    if (!head || bytes.read(head->from, fields) < fields.size()) return std::nullopt;
    return static_cast<std::uint32_t>(number(std::span(fields).subspan(fields[0] == 1 ? 20 : 12, 4)));
}

/// The rows of a table of 32-bit numbers: version and flags, a count, `columns` numbers each.
std::optional<std::vector<std::uint32_t>> table(ByteSource& bytes, const Box& box, std::size_t columns) {
    if (box.to - box.from < 8 || box.to - box.from > most_table_bytes) return std::nullopt;
    std::vector<std::uint8_t> raw(static_cast<std::size_t>(box.to - box.from));
    if (bytes.read(box.from, raw) < raw.size()) return std::nullopt;
    const std::span view(raw);
    const auto rows = number(view.subspan(4, 4));
    if (rows > (raw.size() - 8) / (4 * columns)) return std::nullopt;
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(rows) * columns);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<std::uint32_t>(number(view.subspan(8 + 4 * i, 4)));
    return numbers;
}

/// Walks a table of (how many samples, which value) forward.
class Runs {
public:
    explicit Runs(std::vector<std::uint32_t> rows) : rows_(std::move(rows)) {}

    /// Goes on to the sample `number` (from 0, never backwards); `sum` has the values of all before it.
    bool go_to(std::uint64_t number) {
        while (at_ + 1 < rows_.size() && number - first_ >= rows_[at_]) {
            sum_ += std::int64_t{rows_[at_]} * value();
            first_ += rows_[at_];
            at_ += 2;
        }
        if (at_ + 1 >= rows_.size()) return false;
        sum_before_ = sum_ + static_cast<std::int64_t>(number - first_) * value();
        return true;
    }
    [[nodiscard]] std::int64_t value() const { return static_cast<std::int32_t>(rows_[at_ + 1]); }
    [[nodiscard]] std::int64_t sum_before() const noexcept { return sum_before_; }
    [[nodiscard]] std::uint64_t samples() const {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i + 1 < rows_.size(); i += 2) count += rows_[i];
        return count;
    }

private:
    std::vector<std::uint32_t> rows_;
    std::size_t at_ = 0;
    std::uint64_t first_ = 0;  ///< sample at which the row begins
    std::int64_t sum_ = 0, sum_before_ = 0;
};

std::optional<std::vector<KeySample>> key_samples(ByteSource& bytes, const Box& tables) {
    const auto rows_of = [&](const char* name, std::size_t columns) -> std::optional<std::vector<std::uint32_t>> {
        const auto box = child(bytes, tables, name);
        return box ? table(bytes, *box, columns) : std::nullopt;
    };
    const bool all_are_keys = !child(bytes, tables, "stss"), in_order = !child(bytes, tables, "ctts");
    auto times = rows_of("stts", 2), keys = rows_of("stss", 1), offsets = rows_of("ctts", 2);
    if (!times || (!all_are_keys && !keys) || (!in_order && !offsets)) return std::nullopt;
    Runs time(std::move(*times)), offset(in_order ? std::vector<std::uint32_t>{} : std::move(*offsets));
    const auto samples = time.samples();
    if (samples > most_samples) return std::nullopt;
    const std::size_t count = all_are_keys ? static_cast<std::size_t>(samples) : keys->size();
    std::vector<KeySample> found;
    found.reserve(count);
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t number = all_are_keys ? i + 1 : (*keys)[i];
        if (number <= last || !time.go_to(number - 1)) return std::nullopt;
        if (!in_order && !offset.go_to(number - 1)) return std::nullopt;
        last = number;
        found.push_back({.decoding_time = time.sum_before(), .offset = in_order ? 0 : offset.value()});
        if (std::abs(found.back().offset) > most_offset) return std::nullopt;
    }
    return found;
}

std::optional<Box> movie(ByteSource& bytes) {
    return child(bytes, {.from = 0, .to = bytes.size()}, "moov");
}

}  // namespace

std::optional<std::vector<KeySample>> read_key_samples(ByteSource& bytes, std::uint32_t track_id) {
    const auto moov = movie(bytes);
    std::optional<Box> tables;
    if (!moov) return std::nullopt;
    each_box(bytes, moov->from, moov->to, [&](const Box& track) {
        if (!track.is("trak") || track_id_of(bytes, track) != track_id) return false;
        tables = track;
        for (const char* name : {"mdia", "minf", "stbl"})
            if (tables) tables = child(bytes, *tables, name);
        return true;
    });
    return tables ? key_samples(bytes, *tables) : std::nullopt;
}

bool may_have_fragments(ByteSource& bytes) {
    bool found = false;
    const bool boxes = each_box(bytes, 0, bytes.size(), [&](const Box& box) {
        if (box.is("moof")) found = true;
        if (box.is("moov") && child(bytes, box, "mvex")) found = true;
        return found;
    });
    return found || !boxes;
}

}  // namespace understudy::media
