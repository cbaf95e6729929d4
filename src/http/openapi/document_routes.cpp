// /api-docs/openapi.json: what this server serves, for programs that make clients.
#include <memory>
#include <mutex>

#include "http/entity_tags.h"
#include "http/openapi/document.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

/// Made when it is first asked for: by then every route is there.
class Document {
public:
    Document(const Router& router, const Services& services) : router_(router), services_(services) {}

    Response answer(const Request& request) {
        std::call_once(made_, [this] {
            text_ = openapi::api_document(router_.routes(), {services_.info.version, services_.info.base_url});
            tag_ = core::id_to_hex(id_of_text(text_));
        });
        const auto tagged = [this](Response response) {
            // Weak: the same for the compressed form, which is made behind this.
            return response.with("ETag", "W/\"" + tag_ + '"')
                .with("Cache-Control", "no-cache")
                .with("Vary", "Accept-Encoding");
        };
        if (names_tag(request.header("If-None-Match"), tag_)) return tagged({.status = 304});
        return tagged(json_answer(text_));
    }

private:
    const Router& router_;
    const Services& services_;
    std::once_flag made_;
    std::string text_, tag_;
};

}  // namespace

void add_document_routes(Router& router, const Services& services) {
    Route route;
    route.path = "/api-docs/openapi.json";
    route.access = Access::open;
    route.handler = [document = std::make_shared<Document>(router, services)](const Request& request) {
        return document->answer(request);
    };
    router.add(std::move(route));
}

}  // namespace understudy::http
