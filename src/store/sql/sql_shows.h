// store/sql/sql_shows.h: series as somebody watches them, in SQL. Made by app.
#pragma once

#include "store/shows.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlShows final : public Shows {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlShows(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::vector<BegunSeries>> begun(core::UserId user, const ShowsFilter& filter) override;
    [[nodiscard]] core::Result<std::vector<ShowEpisode>> episodes(core::UserId user,
                                                                  const std::vector<core::ItemId>& series,
                                                                  const std::optional<Viewer>& viewer) override;
    [[nodiscard]] core::Result<UpcomingEpisodes> upcoming(const ShowsFilter& filter, std::size_t start_index,
                                                          std::size_t limit) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
