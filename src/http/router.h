// http/router.h: which handler answers a request: routes as data. Filled once at start, then read by all threads.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.h"
#include "http/message.h"

namespace understudy::http {

/// Who may call. `wizard`: anybody until the start wizard is done, then administrators; `wizard_or_user`: then whoever
/// is logged in. `user`: whoever is logged in, with a key too; another user than the caller's own may be named by
/// administrators alone.
enum class Access { open, wizard, wizard_or_user, user, admin };
/// `inline_`: answered on the I/O thread, so it must only look at memory. `pool`: may block on databases and files.
/// `pictures`: the same on threads of its own, as pictures that are made take their time: a page full of them keeps
/// nobody else from being answered.
enum class Where { inline_, pool, pictures };

struct Route {
    Method method = Method::get;
    std::string path;  ///< `/Items/{id}`: literals in any case, `{name}` matches one segment, `{id}` and `{…Id}` an id,
                       ///< `{name*}` at the end what is left, one segment or more
    Access access = Access::admin;
    std::function<Response(const Request&)> handler;
    /// Asked first, on the I/O thread, where it is set: an answer out of memory; nullopt: the handler must.
    std::function<std::optional<Response>(const Request&)> from_memory = {};
    Where where = Where::pool;
    bool while_starting = false;  ///< answers before the server is ready too
    bool others = false;          ///< of `user`: everybody may name every user
    bool large_body = false;      ///< takes a picture: its body may be larger than others (http/server/server.h)
    int unknown_caller = 401;     ///< what is answered to who sends no token, or nobody's
};

class Router {
public:
    Router();
    ~Router();
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// A second route of the same method and path is our bug: CHECK. Where something that is no id stands for `{id}` or
    /// `{…Id}` the handler is not called: that is 400, and names it. What takes other words has another name (`{key}`).
    void add(Route route);

    struct Match {
        const Route* route = nullptr;  ///< null: no such path, or not by this method
        std::vector<std::pair<std::string, std::string>> params;
        std::string allow;  ///< where the path is known but not by this method: what is; HEAD comes with GET
    };
    /// `path` is percent-encoded. Empty segments and a trailing slash do not count. Literals go before parameters,
    /// parameters before the rest.
    [[nodiscard]] Match find(Method method, std::string_view path) const;
    [[nodiscard]] const std::vector<const Route*>& routes() const noexcept { return all_; }

private:
    struct Node;
    std::unique_ptr<Node> root_;
    std::vector<const Route*> all_;
};

/// The id that a request has for `{name}` of its path.
template <class Id>
[[nodiscard]] Id path_id(const Request& request, std::string_view name = "id") {
    const auto id = Id::parse(request.param(name));
    CHECK(id);  // else the router had answered
    return *id;
}

}  // namespace understudy::http
