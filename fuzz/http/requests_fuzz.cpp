// fuzz/http/requests_fuzz.cpp: whatever a client may send, through routing, authorization, query and body into every
// handler over fakes. The first byte says which credentials come with it; then a request line, header lines, a blank
// line, a body.
#include <boost/json.hpp>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "../redis/driver.h"
#include "http/house.h"

namespace {

using namespace understudy;

void require(bool holds, const char* what, const http::Response& response) {
    if (holds) return;
    std::cerr << what << ": " << response.status << ' ' << response.content_type << '\n' << response.body << '\n';
    std::abort();
}

http::Request parse(std::string_view bytes) {
    http::Request request;
    const auto take_line = [&] {
        const auto end = bytes.find('\n');
        const auto line = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        return line;
    };
    const auto first = take_line();
    const auto blank = first.find(' ');
    request.method = http::parse_method(first.substr(0, blank));
    if (blank != std::string_view::npos) request.target = first.substr(blank + 1);
    while (!bytes.empty()) {
        const auto line = take_line();
        if (line.empty()) break;
        const auto colon = line.find(':');
        http::Header header;
        header.name = line.substr(0, colon);
        if (colon != std::string_view::npos) header.value = http::trim(line.substr(colon + 1));
        request.headers.push_back(std::move(header));
    }
    request.body = bytes;
    request.peer = "127.0.0.1";
    return request;
}

/// One of everything, so that handlers have something to show.
void furnish(testing::House& house) {
    house.services.info.trusted_proxies = {"127.0.0.0/8"};
    for (const char* key : {"RefreshLibrary", "OptimizeDatabaseTask"}) house.tasks.add(key);
    model::Library library;
    library.id = testing::id_of<core::LibraryId>('a');
    library.name = "Films \"\xE9\"";
    library.paths = {"/nowhere/films"};
    library.options = R"({"TypeOptions":[{"Type":"Movie"}]})";
    house.libraries.rows = {library};
    store::ListedItem film;
    film.item.id = testing::id_of<core::ItemId>('1');
    film.item.library = library.id;
    film.item.name = "Tide \xFF";
    film.item.sources.resize(2);
    film.item.sources[0].file.path = "/nowhere/films/caf\xE9.mkv";
    film.item.sources[0].info.streams.resize(3);
    house.catalog.rows = {film};
    house.users.rows = {{testing::id_of<core::UserId>('a'), "Ann \xFE", {}}};
    store::Collection collection;
    collection.name = "Sea \xFD";
    for (const auto& [digit, kind] : {std::pair{'3', model::ItemKind::playlist}, {'4', model::ItemKind::box_set}}) {
        collection.id = testing::id_of<core::ItemId>(digit);
        collection.kind = kind;
        (void)house.collections.create(collection, {film.item.id, film.item.id});
    }
    tasks::RunRow run;
    run.id = testing::id_of<core::RunId>('2');
    run.task = {"RefreshLibrary", "cluster"};
    house.ledger.rows = {run};
    tasks::TaskStateRow state;
    state.task = run.task;
    state.triggers = tasks::find_task("RefreshLibrary")->default_triggers();
    state.next_slot = house.clock.utc_now();
    state.next_trigger = 0;
    house.ledger.view.tasks = {state};
    house.ledger.view.now = house.clock.utc_now();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    testing::House house(
        http::DispatcherSettings{.base_url = (data[0] & 4U) ? "/jf" : "", .legacy_authorization = (data[0] & 8U) == 0});
    furnish(house);
    auto request = parse({reinterpret_cast<const char*>(data) + 1, size - 1});
    const bool admin = (data[0] & 1U) != 0;
    if (admin) {
        http::Header key;
        key.name = "Authorization";
        key.value = std::string("MediaBrowser Token=") + testing::admin_key;
        request.headers.insert(request.headers.begin(), key);
    }
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const bool knows_the_key = admin || bytes.find("0123") != std::string_view::npos ||
                               bytes.find(testing::guest_key) != std::string_view::npos;
    auto answer = house.dispatcher->at_once(request);
    const auto* route = request.route;
    const auto response = answer ? *answer : house.dispatcher->handle(request);

    require(response.status >= 200 && response.status < 600 && response.status != 500, "no handler may fail", response);
    require(!http::reason_phrase(response.status).empty(), "a status without a name", response);
    require(response.body.empty() == response.content_type.empty(), "a body has a type, a type has a body", response);
    require(response.status != 204 || response.body.empty(), "204 has no body", response);
    if (route && route->access != http::Access::open && !knows_the_key) {
        require(response.status == 401 || response.status == 503, "a guarded route without a key", response);
        require(house.tasks.calls.empty() && house.libraries.rows.size() == 1, "refused, yet something was done",
                response);
    }
    if (response.content_type.find("json") != std::string::npos) {
        boost::system::error_code error;
        const auto value = boost::json::parse(response.body, error);  // also checks that every text is valid UTF-8
        require(!error, "no valid JSON", response);
    }
    return 0;
}
