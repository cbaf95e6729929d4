// Every operation of our OpenAPI document is driven with good requests: its answers are what the document says of them,
// and handlers look for the query parameters that it declares, for all of them and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "http/api_calls.h"
#include "http/api_contract.h"
#include "http/jellyfin/items/item_query.h"

namespace understudy::http {
namespace {

using testing::ApiCall;
using testing::ApiContract;
using testing::ApiWorld;

std::string route_of(const ApiContract::Operation& operation) {
    const auto method = operation.method == "head" ? Method::get : operation.asked_by();
    return std::string(to_string(method)) + " " + operation.path;
}

/// Operations whose good answer is a refusal, and why.
const std::map<std::string, std::string> refused_by_nature{};

/// Those whose good answers hold nothing, and why: of all others one at least does, so that it says what is in them.
const std::map<std::string, std::string> empty_by_nature{
    {"GetAdditionalPart", "a film has no parts"},
    {"GetAllChannelFeatures", "there are no channels"},
    {"GetChannels", "there are no channels"},
    {"GetConfigurationPages", "there are no plugins"},
    {"GetDefaultDirectoryBrowser", "people begin nowhere in particular"},
    {"GetExternalIdInfos", "no provider has a page to show ids on"},
    {"GetIntros", "there are no intros before films"},
    {"GetIntrosLegacy", "there are no intros before films"},
    {"GetLatestChannelItems", "there are no channels"},
    {"GetLiveTvChannels", "there is no television"},
    {"GetLiveTvPrograms", "there is no television"},
    {"GetNetworkShares", "whoever runs the pod mounts them"},
    {"GetPackages", "there are no plugins"},
    {"GetPlaylistUsers", "a playlist is its owner's or everybody's"},
    {"GetPlugins", "there are no plugins"},
    {"GetPrograms", "there is no television"},
    {"GetRecommendedPrograms", "there is no television"},
    {"GetRecordingFolders", "there is no television"},
    {"GetRecordingGroups", "there is no television"},
    {"GetRecordings", "there is no television"},
    {"GetRecordingsSeries", "there is no television"},
    {"GetSeriesTimers", "there is no television"},
    {"GetTimers", "there is no television"},
    {"GetTunerHostTypes", "there is no television"},
    {"SyncPlayGetGroups", "nobody plays together"},
};

/// Does the document say that a good answer of it has a body?
bool gives_content(const ApiContract::Operation& operation) {
    const auto* good = operation.row->at("responses").as_object().if_contains("200");
    return good && good->as_object().contains("content");
}

/// Is there anything in it that a document could be wrong about?
bool holds_something(const Response& answer) {
    if (answer.status != 200 || answer.body.empty()) return false;
    if (!answer.content_type.starts_with(json_type)) return true;
    const auto value = boost::json::parse(answer.body);
    if (const auto* list = value.if_array()) return !list->empty();
    const auto* object = value.if_object();
    if (!object) return true;
    for (const auto* list : {"Items", "SearchHints", "items"}) {
        if (const auto* rows = object->if_contains(list)) return !rows->as_array().empty();
    }
    return !object->empty();
}

class EveryOperation : public ::testing::TestWithParam<testing::ApiCallGroup> {};

std::set<std::string> lowered(const std::set<std::string>& keys) {
    std::set<std::string> all;
    for (const auto& key : keys) all.insert(to_lower(key));
    return all;
}

/// What read_item_request looks for: lists of items read all of it in one place, and each declares what matters to it.
std::set<std::string> keys_of_items() {
    std::set<std::string> keys;
    Query query;
    query.report_to(keys);
    EXPECT_TRUE(read_item_request(query));
    return lowered(keys);
}

TEST_P(EveryOperation, answers_as_the_document_says) {
    ApiWorld world;
    ApiContract contract(world.document);
    std::set<std::string> driven, held;
    for (const auto& call : GetParam().calls(world)) {
        SCOPED_TRACE(call.operation + " " + call.target);
        const auto known = contract.operations().find(call.operation);
        if (known == contract.operations().end()) {
            ADD_FAILURE() << "no operation of the document";
            continue;
        }
        const auto& operation = known->second;
        driven.insert(call.operation);
        const auto method = operation.asked_by();
        const auto path = std::string_view(call.target).substr(0, call.target.find('?'));
        const auto match = world.watched.find(method, path);
        EXPECT_TRUE(match.route && match.route->path == operation.path) << "another route answers it";
        for (const auto& fault : contract.body_faults(operation, call.body)) ADD_FAILURE() << fault;
        const auto answer = world.call(call, method);
        EXPECT_EQ(answer.status, call.status) << answer.body;
        for (const auto& fault : contract.answer_faults(operation, answer)) ADD_FAILURE() << fault;
        if (holds_something(answer)) held.insert(call.operation);
    }
    for (const auto& id : driven) {
        if (!gives_content(contract.operations().at(id))) continue;
        if (empty_by_nature.contains(id))
            EXPECT_FALSE(held.contains(id)) << id << ": it holds something; take it off the list";
        else
            EXPECT_TRUE(held.contains(id)) << id << ": no good answer of it holds anything";
    }
    const auto shared = keys_of_items();
    for (const auto& id : driven) {
        const auto& operation = contract.operations().at(id);
        const auto declared = ApiContract::query_of(operation);
        const auto asked = lowered(world.asked.at(route_of(operation)));
        const bool reads_all = operation.path != "/Items" && std::ranges::includes(asked, shared);
        for (const auto& key : asked) {
            EXPECT_TRUE(declared.contains(key) || (reads_all && shared.contains(key)))
                << id << ": its handler looks for the query parameter " << key << ", which its row does not declare";
        }
        for (const auto& key : declared) {
            EXPECT_TRUE(asked.contains(key))
                << id << ": its row declares the query parameter " << key << ", which no handler looked for";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Api, EveryOperation, ::testing::ValuesIn(testing::api_call_groups),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Operations, are_all_driven_to_success) {
    ApiWorld world;
    const ApiContract contract(world.document);
    std::set<std::string> driven, well;
    for (const auto& group : testing::api_call_groups) {
        for (const auto& call : group.calls(world)) {
            driven.insert(call.operation);
            if (call.status < 400) well.insert(call.operation);
        }
    }
    for (const auto& [id, operation] : contract.operations()) {
        EXPECT_TRUE(driven.contains(id)) << id << " (" << route_of(operation) << "): add a call to api_calls_*.cpp";
        EXPECT_NE(well.contains(id), refused_by_nature.contains(id))
            << id << ": of what is driven only what is on the list may have no good answer";
    }
    for (const auto* list : {&refused_by_nature, &empty_by_nature}) {
        for (const auto& [id, why] : *list) EXPECT_TRUE(contract.operations().contains(id)) << id << ": " << why;
    }
    std::cout << well.size() << " of " << contract.operations().size() << " operations are driven to success\n";
}

}  // namespace
}  // namespace understudy::http
