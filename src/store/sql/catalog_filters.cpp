#include "store/sql/catalog_filters.h"

#include "store/collections.h"

namespace understudy::store::sql {
namespace {

template <class Id>
std::string literal(const Id& id) {
    return "decode('" + id.str() + "', 'hex')";
}

// Not correlated: the database may begin with what the user touched instead of looking at each item.
std::string own_data(core::UserId user, const std::string& condition) {
    return "i.id IN (SELECT u.item_id FROM user_data u WHERE u.user_id = " + literal(user) + " AND u." + condition +
           ")";
}

std::string is_unplayed(core::UserId user) {
    return " AND NOT EXISTS (SELECT 1 FROM user_data u WHERE u.user_id = " + literal(user) +
           " AND u.item_id = p.id AND u.played = 1)";
}

// EXISTS something that can be played below the folder `i` and fits `condition`; collections have members, not
// children.
std::string some_below(const std::string& condition) {
    return "EXISTS (WITH RECURSIVE below(id) AS (SELECT x.id FROM items x WHERE x.parent_id = i.id UNION SELECT "
           "m.item_id FROM collection_members m WHERE m.collection_id = i.id UNION SELECT c.id FROM below b JOIN items "
           "c ON c.parent_id = b.id) SELECT 1 FROM below b JOIN items p ON p.id = b.id WHERE p.kind IN (" +
           std::string(playable_kinds) + ")" + condition + ")";
}

}  // namespace

std::string user_data_conditions(const ItemQuery& query) {
    std::string conditions;
    const auto negated = [](bool wanted) { return std::string(wanted ? " AND " : " AND NOT "); };
    if (query.played) {
        const auto own = own_data(query.user, "played = 1");
        const auto seen = library_conditions(query.viewer, "p");
        conditions += negated(*query.played) + "(CASE WHEN i.kind IN (" + std::string(playable_kinds) + ") THEN " +
                      own + " ELSE NOT " + some_below(seen + is_unplayed(query.user)) + " AND (" + own + " OR " +
                      some_below(seen) + ") END)";
    }
    if (query.favourite) conditions += negated(*query.favourite) + own_data(query.user, "favourite = 1");
    if (query.in_progress) conditions += " AND " + own_data(query.user, "position_ms > 0");
    return conditions;
}

std::string library_conditions(const std::optional<Viewer>& viewer, const std::string& items) {
    if (!viewer || !viewer->libraries) return {};
    auto all = literal(collections_library);
    for (const auto& library : *viewer->libraries) all += ", " + literal(library);
    return " AND " + items + ".library_id IN (" + all + ")";
}

std::string viewer_conditions(const std::optional<Viewer>& viewer, const std::string& items) {
    auto conditions = library_conditions(viewer, items);
    if (viewer && !viewer->user.empty()) {
        conditions += " AND NOT (" + items +
                      ".kind = 'playlist' AND EXISTS (SELECT 1 FROM collections v WHERE v.item_id = " + items +
                      ".id AND v.is_public = 0 AND (v.owner_id IS NULL OR v.owner_id <> " + literal(viewer->user) +
                      ")))";
    }
    return conditions;
}

std::string user_data_value(core::UserId user, std::string_view column) {
    return "COALESCE((SELECT u." + std::string(column) + " FROM user_data u WHERE u.user_id = " + literal(user) +
           " AND u.item_id = i.id), 0)";
}

}  // namespace understudy::store::sql
