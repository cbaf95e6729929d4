// core/log.h: the logging front end. Text for people, JSON lines for clusters; adapters in core/spdlog_log.h.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace understudy::core {

enum class LogLevel { debug, info, warning, error };

struct LogField {
    std::string_view name;  ///< snake_case: task, run, pod, epoch, path, …
    std::string value;
};

/// Safe from any thread; never throws, never blocks for long.
class Log {
public:
    virtual ~Log() = default;
    virtual void write(LogLevel level, std::string_view message, std::span<const LogField> fields) noexcept = 0;

    void debug(std::string_view message, std::initializer_list<LogField> fields = {}) noexcept {
        write(LogLevel::debug, message, {fields.begin(), fields.size()});
    }
    void info(std::string_view message, std::initializer_list<LogField> fields = {}) noexcept {
        write(LogLevel::info, message, {fields.begin(), fields.size()});
    }
    void warning(std::string_view message, std::initializer_list<LogField> fields = {}) noexcept {
        write(LogLevel::warning, message, {fields.begin(), fields.size()});
    }
    void error(std::string_view message, std::initializer_list<LogField> fields = {}) noexcept {
        write(LogLevel::error, message, {fields.begin(), fields.size()});
    }
};

/// Swallows everything: for tests that do not look at the log.
class NullLog final : public Log {
public:
    void write(LogLevel, std::string_view, std::span<const LogField>) noexcept override {}
};

}  // namespace understudy::core
