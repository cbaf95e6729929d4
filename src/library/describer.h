// library/describer.h: finds and reads what describes an item: its NFO, its pictures, the subtitles beside its videos.
// Used by the resolver, on the run's thread. Only NFO files are opened, each at most once a scan unless it was
// forgotten meanwhile.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "library/nfo/description.h"
#include "library/patient_reader.h"
#include "library/sidecars.h"
#include "model/item.h"

namespace understudy::library {

/// What an NFO file says. `unreadable`: it is there and could not be read now: what is known stays.
struct Saying {
    std::vector<nfo::Description> items;
    bool unreadable = false;
};

/// Whose pictures and subtitles are looked for.
struct DescribedPlace {
    std::string folder;
    std::vector<std::string> stems;  ///< of its files, best first; empty: a folder's item
    bool owns_folder = false;        ///< `poster.jpg`, `movie.nfo` are this item's
    std::string series_folder;       ///< of a season: where `season01-poster.jpg` lies; else empty
};

class Describer {
public:
    struct Fault {
        std::string reason;
        bool transient = false;  ///< tried again by the next scan
    };
    /// References outlive it. `warn`: told once of each file that says nothing usable.
    Describer(Sidecars& sidecars, PatientReader& reader, std::function<void(const std::string&)> warn);

    /// The first of `names` in `folder` (in any case) that is there and says something of `subject` (or nothing but
    /// ids). A broken one says nothing and is a fault.
    [[nodiscard]] Saying say(const std::string& folder, const std::vector<std::string>& names, nfo::Subject subject);
    /// Replaces the item's pictures.
    void put_images(model::Item& item, const DescribedPlace& place);
    /// Replaces the external streams of all sources. `alone`: what lies in a folder of subtitles is this item's,
    /// whatever it is called.
    void put_external(model::Item& item, bool alone);

    [[nodiscard]] const std::map<std::string, Fault>& faults() const noexcept { return faults_; }

private:
    [[nodiscard]] Saying read(const std::string& path, bool& useful, nfo::Subject subject);

    Sidecars& sidecars_;
    PatientReader& reader_;
    std::function<void(const std::string&)> warn_;
    std::map<std::string, Fault> faults_;
    std::list<std::pair<std::string, Saying>> said_;  ///< as read, the last first
};

}  // namespace understudy::library
