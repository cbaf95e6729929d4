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
    /// Four bytes, for numbers that are anything.
    void word(std::uint32_t value) {
        for (int i = 0; i < 4; ++i, value >>= 8) bytes_ += static_cast<char>(value & 0xFF);
    }
    void text(std::string_view value) {
        number(value.size());
        bytes_ += value;
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
    /// A larger one makes no sense.
    std::uint64_t number(std::uint64_t most) {
        const auto value = number();
        return value > most ? fail() : value;
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
    std::size_t count(std::size_t least_bytes, std::size_t most) {
        const auto value = count(least_bytes);
        return value > most ? static_cast<std::size_t>(fail()) : value;
    }
    std::uint32_t word() {
        if (left_.size() < 4) return static_cast<std::uint32_t>(fail());
        std::uint32_t value = 0;
        for (int i = 3; i >= 0; --i)
            value = value << 8 | static_cast<unsigned char>(left_[static_cast<std::size_t>(i)]);
        left_.remove_prefix(4);
        return value;
    }
    std::string text(std::size_t most) {
        const auto length = count(1, most);
        std::string value(left_.substr(0, length));
        left_.remove_prefix(length);
        return value;
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
