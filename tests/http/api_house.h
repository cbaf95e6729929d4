// tests/http/api_house.h: the HTTP side with every part that handlers may ask plugged in: none of them answers that it
// is not kept here. Used by the world in which every operation is driven.
#pragma once

#include "http/fake_findings.h"
#include "http/fake_home.h"
#include "http/fake_scaler.h"
#include "http/socket/hub.h"
#include "http/socket/service_feeds.h"
#include "http/system_house.h"
#include "store/sql/sql_open_sockets.h"
#include "support/fake_lead_history.h"

namespace understudy::testing {

struct ApiHouse : SystemHouse {
    ApiHouse() {
        services.shows = &series;
        services.discovery = &discovery;
        services.media = {&findings, &findings, &findings, &findings, &blobs};
        services.scaled = &workshop.pictures;
        services.users.sockets = &open_sockets;
        services.sockets = &hub;
        services.leads = &leads;
    }

    FakeLeadHistory leads;
    FakeShows series{catalog, user_data};
    FakeDiscovery discovery;
    FakeFindings findings;
    FakeBlobs blobs;
    PictureWorkshop workshop{random, clock, log};
    store::sql::SqlOpenSockets open_sockets{*database};
    http::ServiceFeeds feeds{services};
    http::SocketHub hub{http::SocketLimits{}, feeds, clock, random, log};  ///< lets in, and tells nobody anything
};

}  // namespace understudy::testing
