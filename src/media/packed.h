// media/packed.h: small numbers in few bytes, for results that a worker sends and the database keeps: LEB128 varints,
// no padding, the same on every machine. Used by the codecs of jobs.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace understudy::media {

class PackWriter {
public:
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
        bytes_ += static_cast<char>(value);
    }
    /// Small numbers of either sign stay short.
    void signed_number(std::int64_t value) {
        number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void real(double value) {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < 8; ++i, bits >>= 8) bytes_ += static_cast<char>(bits & 0xFF);
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// After the first thing that makes no sense all reads give 0 and whole() is false.
class PackReader {
public:
    explicit PackReader(std::string_view bytes) : left_(bytes) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (left_.empty()) break;
            const auto byte = static_cast<unsigned char>(left_.front());
            left_.remove_prefix(1);
            if (shift == 63 && byte > 1) break;
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
        return fail();
    }
    std::int64_t signed_number() {
        const auto coded = number();
        return static_cast<std::int64_t>((coded >> 1) ^ (0 - (coded & 1)));
    }
    double real() {
        if (left_.size() < 8) return static_cast<double>(fail());
        std::uint64_t bits = 0;
        for (int i = 7; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(left_[static_cast<std::size_t>(i)]);
        left_.remove_prefix(8);
        return std::bit_cast<double>(bits);
    }
    /// A number of things that follow, each of at least `least_bytes`: never more than there can be.
    std::size_t count(std::size_t least_bytes) {
        const auto value = number();
        return static_cast<std::size_t>(value > left_.size() / least_bytes ? fail() : value);
    }
    [[nodiscard]] bool good() const noexcept { return good_; }
    /// All was read, and it made sense.
    [[nodiscard]] bool whole() const noexcept { return good_ && left_.empty(); }
    /// For what only the codec can see.
    std::uint64_t fail() {
        good_ = false;
        left_ = {};
        return 0;
    }

private:
    std::string_view left_;
    bool good_ = true;
};

}  // namespace understudy::media
