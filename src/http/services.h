// http/services.h: everything that handlers may ask, and what they say of this server. Filled by app, read by all
// handlers.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cluster/events.h"
#include "cluster/lead_history.h"
#include "cluster/pods.h"
#include "core/ids.h"
#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "http/admin/health.h"
#include "http/auth/passwords.h"
#include "http/pictures/scaled_pictures.h"
#include "http/static_files.h"
#include "http/system_parts.h"
#include "http/task_service.h"
#include "http/user_stores.h"
#include "http/web_folder.h"
#include "lease/scan_leader_lease.h"
#include "store/analyses.h"
#include "store/blobs.h"
#include "store/catalog.h"
#include "store/collections.h"
#include "store/discovery.h"
#include "store/libraries.h"
#include "store/login_attempts.h"
#include "store/media_facts.h"
#include "store/names.h"
#include "store/people.h"
#include "store/scan_store.h"
#include "store/server_settings.h"
#include "store/sessions.h"
#include "store/shows.h"
#include "store/user_data.h"
#include "store/users.h"
#include "tasks/run_ledger.h"
#include "tasks/zones/zone.h"

namespace understudy::http {

class SocketHub;

struct ServerInfo {
    std::string pod;  ///< this pod's label
    core::BootId boot;
    std::string server_id;  ///< 32 hex digits, the same on all pods
    std::string server_name = "Understudy";
    std::string version;                        ///< our own
    std::string jellyfin_version = "10.11.11";  ///< what clients are told
    std::string published_url;                  ///< wins as LocalAddress; empty: from the request
    std::string base_url;                       ///< `/jf`; empty: none
    bool answers_discovery = false;             ///< clients that look for servers find this pod (DiscoveryResponder)
    std::vector<std::string> trusted_proxies;   ///< addresses or networks (`10.0.0.0/8`) whose X-Forwarded-* count
    std::filesystem::path data_dir;             ///< no library may overlap it
    core::Millis pods_within{45'000};           ///< pods heard from within this live (DeadAfterSeconds)
    core::Millis silent_after{11'000};          ///< a pod whose heartbeat is older is shown as silent
    core::Millis resign_grace{20'000};          ///< how long runs get to reach a checkpoint
    tasks::Zone zone;                           ///< of daily and weekly triggers
};

/// What the tasks that decode have found out. Null: nobody keeps it here, and it is answered as not found out yet.
struct MediaFindings {
    store::Analyses* analyses = nullptr;
    store::LoudnessStore* loudness = nullptr;
    store::MediaSegments* segments = nullptr;
    store::ChapterPictures* pictures = nullptr;
    store::BlobStore* blobs = nullptr;
};

/// References outlive the router that is built from them. All but `health`, `lease`, `clock`, `log` and what
/// TaskService says of itself may block.
struct Services {
    ServerInfo info;
    TaskService& tasks;
    tasks::RunLedger& ledger;
    lease::ScanLeaderLease& lease;
    cluster::PodRegistry& pods;
    cluster::EventLog& events;
    store::LibraryStore& libraries;
    store::Catalog& catalog;
    store::ScanStore& scans;
    const HealthSource& health;
    core::Clock& clock;
    core::Random& random;
    core::Log& log;
    MediaFindings media = {};
    UserStores users = {};
    store::People* people = nullptr;        ///< null: nobody is known
    cluster::LeadHistory* leads = nullptr;  ///< null: there is no election
    store::Names* names = nullptr;          ///< null: nothing is known by name
    store::Shows* shows = nullptr;          ///< null, as below: not kept here; what needs it answers 501
    store::Discovery* discovery = nullptr;
    std::span<const EmbeddedFile> dashboard = {};
    const WebFolder* web = nullptr;    ///< null: `/web` leads to the dashboard
    ScaledPictures* scaled = nullptr;  ///< null: pictures go out as they are kept, and none is taken in
    SystemParts system = {};
    SocketHub* sockets = nullptr;  ///< null: there is no event socket
};

}  // namespace understudy::http
