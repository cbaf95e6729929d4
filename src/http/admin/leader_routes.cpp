// /cluster/leader, /cluster/leader/resign, /cluster/pods.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

std::string_view standing_name(const lease::LeaseView& view) {
    return view.single ? std::string_view("single") : lease::to_string(view.standing);
}

Response leader(const Services& services) {
    const auto view = services.lease.view();
    JsonWriter out(Spelling::camel);
    out.begin_object();
    out.field("Pod", services.info.pod).field("Standing", standing_name(view)).field("Provider", view.provider);
    out.name("Holder");
    if (view.holder) {
        out.begin_object()
            .field("Pod", view.holder->pod)
            .field("Since", core::to_iso8601(view.holder->since))
            .end_object();
    } else {
        out.null();
    }
    out.field("Term", view.term);
    out.name("TtlLeftMs");
    view.ttl_left ? out.value(view.ttl_left->count()) : out.null();
    out.name("Outage");
    if (view.outage) {
        out.begin_object().field("Since", core::to_iso8601(view.outage->since));
        out.field("Class", lease::to_string(view.outage->reason)).field("Detail", view.outage->detail).end_object();
    } else {
        out.null();
    }
    out.name("AbstainsUntil");
    view.abstains_until ? out.value(core::to_iso8601(*view.abstains_until)) : out.null();
    out.text_or_null("StandsBack", view.stands_back);
    out.name("WaitsUntil");
    view.waits_until ? out.value(core::to_iso8601(*view.waits_until)) : out.null();
    out.name("TimersPaused");
    const auto paused = services.tasks.timers_paused();
    paused ? out.value(*paused) : out.null();
    out.end_object();
    return json_answer(out.take());
}

/// Drains and hands over on a thread of its own: the caller has its answer at once, no handler thread is held.
class Resigner {
public:
    explicit Resigner(const Services& services) : services_(services) {}

    Response resign() {
        const auto view = services_.lease.view();
        if (view.single) {
            return problem({core::Errc::conflict,
                            "There is no election here (Jellyfin:ScanLeader:Enabled is off, or it "
                            "has no Provider): this pod, " +
                                services_.info.pod + ", has no lead to resign from."});
        }
        if (view.standing != lease::Standing::leader) {
            const std::string holder = view.holder ? view.holder->pod : std::string("nobody known");
            return problem({core::Errc::conflict, "This pod (" + services_.info.pod + ", " +
                                                      std::string(standing_name(view)) +
                                                      ") does not lead; the holder is " + holder + "."});
        }
        const std::lock_guard lock(mutex_);
        if (!busy_) {
            busy_ = true;
            thread_ = std::jthread([this] { hand_over(); });  // joins the one before, which is done
        }
        Response response;
        response.status = 202;
        return response;
    }

private:
    void hand_over() {
        const auto done = services_.tasks.resign(services_.info.resign_grace);
        if (!done) services_.log.warning("the lease could not be handed over", {{"cause", done.error().context}});
        busy_ = false;
    }

    const Services& services_;
    std::mutex mutex_;
    std::atomic<bool> busy_{false};
    std::jthread thread_;
};

/// A pod that went without a good-bye is shown for so long: who comes to look comes later. Not once it is back.
constexpr core::Millis silent_shown = std::chrono::hours{1};

bool is_back(const cluster::PodInfo& silent, const std::vector<cluster::PodInfo>& pods) {
    return std::ranges::any_of(pods, [&](const cluster::PodInfo& pod) {
        return pod.label == silent.label && pod.boot != silent.boot && pod.started_at > silent.started_at;
    });
}

Response list_pods(const Services& services) {
    const auto pods = services.pods.pods(std::max(services.info.pods_within, silent_shown));
    if (!pods) return problem(pods.error());
    const auto live = services.ledger.live_runs();
    if (!live) return problem(live.error());
    const auto now = services.ledger.now();  // heartbeats are times of the database's clock
    if (!now) return problem(now.error());
    JsonWriter out(Spelling::camel);
    out.begin_array();
    for (const auto& pod : *pods) {
        // What a pod said of itself is as old as its heartbeat: of a silent one it is history, and no pod leads there.
        const auto age = std::max<core::Millis>(*now - pod.heartbeat_at, core::Millis{0});
        const bool self = pod.boot == services.info.boot;
        const bool silent = !self && age > services.info.silent_after;
        if (silent && is_back(pod, *pods)) continue;
        out.begin_object();
        out.field("Pod", pod.label).field("BootId", pod.boot).field("Version", pod.version);
        out.field("StartedAt", core::to_iso8601(pod.started_at))
            .field("HeartbeatAt", core::to_iso8601(pod.heartbeat_at));
        out.field("HeartbeatAgeMs", age.count()).field("State", silent ? "silent" : "alive");
        const std::string standing = self ? std::string(standing_name(services.lease.view())) : pod.standing;
        out.text_or_null("Standing", silent ? std::string() : standing);
        out.field("LastStanding", standing).field("Self", self);
        out.name("Running").begin_array();
        for (const auto& run : *live) {
            if (run.boot != pod.boot) continue;
            out.begin_object()
                .field("Task", run.task.task)
                .field("RunId", run.id)
                .field("Progress", run.progress)
                .end_object();
        }
        out.end_array().end_object();
    }
    out.end_array();
    return json_answer(out.take());
}

}  // namespace

void add_leader_routes(Router& router, const Services& services) {
    Route shown;
    shown.path = "/cluster/leader";
    shown.where = Where::inline_;
    shown.while_starting = true;
    shown.handler = [&services](const Request&) { return leader(services); };
    router.add(std::move(shown));

    Route resign;
    resign.method = Method::post;
    resign.path = "/cluster/leader/resign";
    resign.handler = [resigner = std::make_shared<Resigner>(services)](const Request&) { return resigner->resign(); };
    router.add(std::move(resign));

    Route pods;
    pods.path = "/cluster/pods";
    pods.handler = [&services](const Request&) { return list_pods(services); };
    router.add(std::move(pods));
}

}  // namespace understudy::http
