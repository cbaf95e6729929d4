// core/spdlog_log.h: the log on spdlog, to stderr and (optionally) a file. Used by app alone.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/log.h"

namespace spdlog {
class logger;
}

namespace understudy::core {

enum class LogFormat { text, json };

class SpdlogLog final : public Log {
public:
    struct Settings {
        LogFormat format = LogFormat::text;
        LogLevel level = LogLevel::info;
        std::string pod;                                 ///< written into every JSON line
        std::optional<std::filesystem::path> directory;  ///< also a file a day there: `understudy-YYYY-MM-DD.log`
    };
    /// Throws std::runtime_error where the directory cannot be written to.
    explicit SpdlogLog(const Settings& settings);
    ~SpdlogLog() override;
    void write(LogLevel level, std::string_view message, std::span<const LogField> fields) noexcept override;

private:
    LogFormat format_;
    std::string pod_;
    std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace understudy::core
