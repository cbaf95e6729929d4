// media/job_bytes.h: the bytes in which parameters and results of worker jobs travel and are stored: LEB128 numbers, the
// same on every machine, since results lie in a database that several machines share. Used by the codecs of the jobs
// (pictures.cpp, cover.cpp, fingerprint.cpp, edges.cpp).
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace understudy::media::packed {

class Writer {
public:
    void count(std::uint64_t value) {
        while (value >= 0x80) {
            out_ += static_cast<char>((value & 0x7F) | 0x80);
            value >>= 7;
        }
        out_ += static_cast<char>(value);
    }
    /// Zigzag: small numbers of either sign are short.
    void number(std::int64_t value) {
        count((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void micros(std::chrono::microseconds time) { number(time.count()); }
    void real(double value) { fixed(std::bit_cast<std::uint64_t>(value), 8); }
    void word(std::uint32_t value) { fixed(value, 4); }
    void bytes(std::string_view value) {
        count(value.size());
        out_ += value;
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    void fixed(std::uint64_t value, int length) {
        for (int i = 0; i < length; ++i) out_ += static_cast<char>((value >> (8 * i)) & 0xFF);
    }
    std::string out_;
};

/// Never reads beyond its bytes; after the first fault every value is 0 and whole() is false.
class Reader {
public:
    explicit Reader(std::string_view in) : in_(in) {}

    /// All was read and made sense.
    [[nodiscard]] bool whole() const noexcept { return good_ && in_.empty(); }
    [[nodiscard]] bool good() const noexcept { return good_; }
    void refuse() noexcept { good_ = false; }

    /// A number of at most `most`; a larger one, or one written longer than needed, is a fault.
    std::uint64_t count(std::uint64_t most) {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint64_t byte = next();
            if (shift == 63 && byte > 1) break;
            value |= (byte & 0x7F) << shift;
            if ((byte & 0x80) != 0) continue;
            if ((byte == 0 && shift != 0) || value > most) break;
            return good_ ? value : 0;
        }
        good_ = false;
        return 0;
    }
    std::int64_t number() {
        const std::uint64_t value = count(UINT64_MAX);
        return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
    }
    std::chrono::microseconds micros() { return std::chrono::microseconds{number()}; }
    double real() { return std::bit_cast<double>(fixed(8)); }
    std::uint32_t word() { return static_cast<std::uint32_t>(fixed(4)); }
    std::string bytes(std::uint64_t most) {
        const std::uint64_t length = count(most);
        if (!good_ || length > in_.size()) {
            good_ = false;
            return {};
        }
        std::string value(in_.substr(0, static_cast<std::size_t>(length)));
        in_.remove_prefix(static_cast<std::size_t>(length));
        return value;
    }
    /// How many elements follow, each of at least `smallest` bytes: never more than the bytes could hold, so that a
    /// list may be reserved at once.
    std::size_t elements(std::uint64_t most, std::size_t smallest) {
        const std::uint64_t value = count(most);
        if (value > in_.size() / smallest) good_ = false;
        return good_ ? static_cast<std::size_t>(value) : 0;
    }

private:
    std::uint64_t next() {
        if (!good_ || in_.empty()) {
            good_ = false;
            return 0;
        }
        const auto byte = static_cast<std::uint8_t>(in_.front());
        in_.remove_prefix(1);
        return byte;
    }
    std::uint64_t fixed(int length) {
        std::uint64_t value = 0;
        for (int i = 0; i < length; ++i) value |= next() << (8 * i);
        return good_ ? value : 0;
    }

    std::string_view in_;
    bool good_ = true;
};

}  // namespace understudy::media::packed
