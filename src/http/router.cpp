#include "http/router.h"

#include "core/check.h"
#include "core/ids.h"
#include "http/problem.h"
#include "http/text.h"

namespace understudy::http {

struct Router::Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;  ///< lower case
    std::unique_ptr<Node> parameter;
    std::unique_ptr<Node> rest;  ///< an end that takes all segments that are left
    std::vector<std::unique_ptr<Route>> routes;
    std::vector<std::string> names;  ///< of the parameters on the way here
};

namespace {

std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    for (const auto part : split(path, '/')) {
        if (!part.empty()) segments.push_back(part);
    }
    return segments;
}

bool names_an_id(std::string_view parameter) {
    return parameter == "id" || parameter.ends_with("Id");
}

using Answers = decltype(Route::handler);

Answers only_with_ids(Answers handler, std::vector<std::string> names) {
    std::erase_if(names, [](const auto& name) { return !names_an_id(name); });
    if (names.empty()) return handler;
    return [handler = std::move(handler), names = std::move(names)](const Request& request) {
        for (const auto& name : names) {
            const auto& text = request.param(name);
            if (!core::id_from_hex(text)) return binding_problem(wrong_id(name, text));
        }
        return handler(request);
    };
}

}  // namespace

Router::Router() : root_(std::make_unique<Node>()) {}
Router::~Router() = default;

void Router::add(Route route) {
    auto* node = root_.get();
    std::vector<std::string> names;
    for (const auto segment : segments_of(route.path)) {
        const bool parameter = segment.front() == '{', rest = segment.ends_with("*}");
        auto& child = rest ? node->rest : parameter ? node->parameter : node->literals[to_lower(segment)];
        if (parameter) names.emplace_back(segment.substr(1, segment.size() - (rest ? 3 : 2)));
        if (!child) child = std::make_unique<Node>();
        node = child.get();
    }
    for (const auto& known : node->routes) CHECK(known->method != route.method);
    if (node->routes.empty()) node->names = names;
    CHECK(node->names == names);
    route.handler = only_with_ids(std::move(route.handler), std::move(names));
    node->routes.push_back(std::make_unique<Route>(std::move(route)));
    all_.push_back(node->routes.back().get());
}

Router::Match Router::find(Method method, std::string_view path) const {
    const auto encoded = segments_of(path);
    constexpr std::size_t deepest = 16;  // no route comes near; bounds the walk for hostile paths
    if (encoded.size() > deepest) return {};
    std::vector<std::string> segments, lowered;
    for (const auto segment : encoded) {
        segments.push_back(percent_decode(segment));
        lowered.push_back(to_lower(segments.back()));
    }
    // Depth first, the literal before the parameter. A node without routes is no end: go back and try the other way.
    std::vector<std::size_t> captured;
    const Node* rest = nullptr;  // where the way ended in one: its parameter holds all that was left
    const std::function<const Node*(const Node&, std::size_t)> walk = [&](const Node& node,
                                                                          std::size_t at) -> const Node* {
        if (at == segments.size()) return node.routes.empty() ? nullptr : &node;
        if (const auto literal = node.literals.find(lowered[at]); literal != node.literals.end()) {
            if (const auto* end = walk(*literal->second, at + 1)) return end;
        }
        captured.push_back(at);
        const auto* end = node.parameter ? walk(*node.parameter, at + 1) : nullptr;
        if (!end && node.rest) end = rest = node.rest.get();
        if (!end) captured.pop_back();
        return end;
    };
    Match match;
    const auto* node = walk(*root_, 0);
    if (!node) return match;
    const auto wanted = method == Method::head ? Method::get : method;
    for (const auto& route : node->routes) {
        if (route->method == wanted) match.route = route.get();
        if (!match.allow.empty()) match.allow += ", ";
        match.allow += to_string(route->method);
        if (route->method == Method::get) match.allow += ", HEAD";
    }
    match.allow += ", OPTIONS";
    for (std::size_t i = 0; i < captured.size(); ++i) match.params.emplace_back(node->names[i], segments[captured[i]]);
    if (node == rest) {
        auto& left = match.params.back().second;
        for (auto at = captured.back() + 1; at < segments.size(); ++at) left += "/" + segments[at];
    }
    return match;
}

}  // namespace understudy::http
