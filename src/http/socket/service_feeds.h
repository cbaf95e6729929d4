// http/socket/service_feeds.h: what the event socket sends, asked of the services as the handlers ask them. Made by
// app.
#pragma once

#include "http/json_writer.h"
#include "http/services.h"
#include "http/socket/feeds.h"

namespace understudy::http {

class ServiceFeeds final : public SocketFeeds {
public:
    /// `services` outlives it.
    explicit ServiceFeeds(const Services& services) : services_(services) {}
    [[nodiscard]] core::Result<std::string> tasks() override;
    [[nodiscard]] core::Result<std::vector<SessionEntry>> sessions() override;
    [[nodiscard]] core::Result<std::optional<std::string>> run_result(core::RunId run) override;
    [[nodiscard]] core::Result<std::string> user_data(core::UserId user, const std::vector<core::ItemId>& items,
                                                      const std::optional<store::Viewer>& viewer) override;
    [[nodiscard]] core::Result<std::optional<std::string>> user(core::UserId user) override;
    [[nodiscard]] core::Result<bool> may_see(core::ItemId item, const store::Viewer& viewer) override;
    [[nodiscard]] core::Result<std::vector<core::LibraryId>> libraries() override;
    [[nodiscard]] core::Result<std::optional<Caller>> owner(const std::string& token_hash) override;
    [[nodiscard]] core::Result<void> note_presence(const std::vector<store::SessionId>& opened,
                                                   const std::vector<store::SessionId>& closed) override;

private:
    /// Of those of `items` that are no items: names and people that the viewer may see.
    [[nodiscard]] core::Result<void> add_named_data(JsonWriter& out, core::UserId user,
                                                    const std::vector<core::ItemId>& items,
                                                    const std::vector<const model::Item*>& seen,
                                                    const std::optional<store::Viewer>& viewer);
    /// What other pods left behind that are gone.
    [[nodiscard]] core::Result<void> clear_away();

    const Services& services_;
    bool cleared_ = false;
};

}  // namespace understudy::http
