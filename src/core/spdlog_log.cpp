#include "core/spdlog_log.h"

#include <spdlog/sinks/daily_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <stdexcept>
#include <vector>

#include "core/time.h"

namespace understudy::core {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::info;
}

std::string_view level_name(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::debug:
            return "debug";
        case LogLevel::info:
            return "info";
        case LogLevel::warning:
            return "warning";
        case LogLevel::error:
            return "error";
    }
    return "info";
}

// A value with blanks or quotes is quoted; line breaks never leave the line they belong to.
void append_value(std::string& line, std::string_view value) {
    const bool plain = !value.empty() && value.find_first_of(" \"=\n\r\t") == std::string_view::npos;
    if (plain) {
        line += value;
        return;
    }
    line += '"';
    for (const char c : value) {
        switch (c) {
            case '"':
                line += "\\\"";
                break;
            case '\n':
                line += "\\n";
                break;
            case '\r':
                line += "\\r";
                break;
            case '\t':
                line += "\\t";
                break;
            default:
                line += c;
        }
    }
    line += '"';
}

}  // namespace

SpdlogLog::SpdlogLog(const Settings& settings) : format_(settings.format), pod_(settings.pod) {
    std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
    if (settings.directory) {
        try {
            std::filesystem::create_directories(*settings.directory);
            sinks.push_back(std::make_shared<spdlog::sinks::daily_file_format_sink_mt>(
                (*settings.directory / "understudy-%Y-%m-%d.log").string(), 0, 0));
        } catch (const std::exception& error) {
            throw std::runtime_error("log folder " + settings.directory->string() +
                                     " cannot be written: " + error.what());
        }
    }
    logger_ = std::make_shared<spdlog::logger>("understudy", sinks.begin(), sinks.end());
    logger_->set_level(to_spdlog(settings.level));
    logger_->set_pattern(format_ == LogFormat::json ? "%v" : "%Y-%m-%d %H:%M:%S.%e%z %^%-7l%$ %v");
    logger_->flush_on(spdlog::level::debug);
}

SpdlogLog::~SpdlogLog() = default;

void SpdlogLog::write(LogLevel level, std::string_view message, std::span<const LogField> fields) noexcept {
    try {
        const auto to = to_spdlog(level);
        if (!logger_->should_log(to)) return;
        std::string line;
        if (format_ == LogFormat::json) {
            boost::json::object entry;
            const auto now = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
            entry["time"] = to_iso8601(now);
            entry["level"] = level_name(level);
            entry["pod"] = pod_;
            entry["message"] = message;
            for (const auto& field : fields) entry[field.name] = field.value;
            line = boost::json::serialize(entry);
        } else {
            line = message;
            for (const auto& field : fields) {
                line += ' ';
                line += field.name;
                line += '=';
                append_value(line, field.value);
            }
        }
        logger_->log(to, spdlog::string_view_t(line.data(), line.size()));
    } catch (...) {  // a log that cannot be written must not stop the work
    }
}

}  // namespace understudy::core
