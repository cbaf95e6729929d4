// The good answers of every operation that the reference knows too, as every_operation_test.cpp drives them, against
// its contract (contract_document.h).
#include <gtest/gtest.h>

#include <iostream>
#include <optional>

#include "http/api_calls.h"
#include "http/api_contract.h"
#include "http/contract_document.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

/// `/Items/{id}` and `/items/{itemId}` -> `/items/{}`.
std::string shape(std::string_view path) {
    std::string shaped;
    bool within = false;
    for (const char c : path) {
        if (c == '}') within = false;
        if (!within) shaped += lower(c);
        if (c == '{') within = true;
    }
    return shaped;
}

/// The reference says of them that they are files.
const std::set<std::string> files{"GetNamedConfiguration"};

/// By method and shape of the path: how the reference writes the path, where its 200 is JSON.
std::map<std::string, std::string> paths_of(const json::value& reference) {
    std::map<std::string, std::string> paths;
    for (const auto& path : reference.at("paths").as_object()) {
        for (const auto& operation : path.value().as_object()) {
            const auto& answers = operation.value().at("responses").as_object();
            const auto* good = answers.if_contains("200");
            const auto* content = good ? good->as_object().if_contains("content") : nullptr;
            if (content && content->as_object().contains("application/json"))
                paths[std::string(operation.key()) + shape(path.key())] = path.key();
        }
    }
    return paths;
}

TEST(Reference, knows_every_good_answer_of_every_operation) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    const auto paths = paths_of(*reference);
    testing::Contract contract(*reference);
    std::set<std::string> compared;
    for (const auto& group : testing::api_call_groups) {
        testing::ApiWorld world;
        const testing::ApiContract own(world.document);
        for (const auto& call : group.calls(world)) {
            const auto& operation = own.operations().at(call.operation);
            const auto answer = world.call(call, operation.asked_by());
            const auto known = paths.find(operation.method + shape(operation.path));
            const bool is_json = answer.status == 200 && answer.content_type.starts_with(json_type);
            if (known == paths.end() || !is_json || files.contains(call.operation)) continue;
            SCOPED_TRACE(call.operation + " " + call.target);
            const auto faults =
                contract.faults(known->second.c_str(), json::parse(answer.body), operation.method.c_str());
            for (const auto& fault : faults) ADD_FAILURE() << fault;
            compared.insert(call.operation);
        }
    }
    std::cout << compared.size() << " operations answer as the reference says\n";
    EXPECT_GT(compared.size(), 130U);
}

}  // namespace
}  // namespace understudy::http
