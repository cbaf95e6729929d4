// Every operation of our OpenAPI document is driven with good requests: its answers are what the document says of them,
// and handlers look for the query parameters that it declares, for all of them and no others.
#include <gtest/gtest.h>

#include <algorithm>

#include "http/api_calls.h"
#include "http/api_contract.h"
#include "http/jellyfin/items/item_query.h"

namespace understudy::http {
namespace {

using testing::ApiCall;
using testing::ApiContract;
using testing::ApiWorld;

Method method_of(const std::string& name) {
    return name == "delete" ? Method::del
                            : parse_method(name == "get"    ? "GET"
                                           : name == "head" ? "HEAD"
                                           : name == "post" ? "POST"
                                                            : "PUT");
}

std::string route_of(const ApiContract::Operation& operation) {
    const auto method = operation.method == "head" ? Method::get : method_of(operation.method);
    return std::string(to_string(method)) + " " + operation.path;
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
    std::set<std::string> driven;
    for (const auto& call : GetParam().calls(world)) {
        SCOPED_TRACE(call.operation + " " + call.target);
        const auto known = contract.operations().find(call.operation);
        if (known == contract.operations().end()) {
            ADD_FAILURE() << "no operation of the document";
            continue;
        }
        const auto& operation = known->second;
        driven.insert(call.operation);
        const auto method = method_of(operation.method);
        const auto path = std::string_view(call.target).substr(0, call.target.find('?'));
        const auto match = world.watched.find(method, path);
        EXPECT_TRUE(match.route && match.route->path == operation.path) << "another route answers it";
        for (const auto& fault : contract.body_faults(operation, call.body)) ADD_FAILURE() << fault;
        const auto answer = world.call(call, method);
        EXPECT_EQ(answer.status, call.status) << answer.body;
        for (const auto& fault : contract.answer_faults(operation, answer)) ADD_FAILURE() << fault;
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

TEST(Operations, are_all_driven) {
    ApiWorld world;
    const ApiContract contract(world.document);
    std::set<std::string> driven;
    for (const auto& group : testing::api_call_groups) {
        for (const auto& call : group.calls(world)) driven.insert(call.operation);
    }
    for (const auto& [id, operation] : contract.operations())
        EXPECT_TRUE(driven.contains(id)) << id << " (" << route_of(operation) << "): add a call to api_calls_*.cpp";
}

}  // namespace
}  // namespace understudy::http
