// Trailers, deleted scenes, theme music: items below the film, season or show they belong to.
#include "library/extra_owners.h"
#include "library/naming/text.h"
#include "library/resolve.h"

namespace understudy::library {

core::Result<std::vector<ScannedFile>> Resolver::resolve_extras(FolderGroup&& group, ExtraOwners& owners,
                                                                std::vector<Step>& steps) {
    if (const auto loaded = load_items(group); !loaded) return tl::unexpected(loaded.error());
    take_stored_info(group);
    std::vector<ScannedFile> nobodys;
    for (auto& file : group.files) {
        const auto place = extra_place(group.root, file.file.path);
        auto owner = place ? owners.find(group.root, *place) : core::ItemId{};
        if (const auto* known = index_.by_id(file.item); owner.empty() && place && known != nullptr) {
            // Nobody else's: it stays where it was.
            const bool stays = known->kind == model::ItemKind::extra && owners.may_keep(known->parent, *place);
            if (stays) owner = known->parent;
        }
        if (owner.empty()) {
            nobodys.push_back(std::move(file));
            continue;
        }
        const auto key = "x:" + naming::key_text(std::string_view(file.file.path).substr(place->owner_folder.size()));
        auto found = leaf(model::ItemKind::extra, owner, key, {&file}, false, steps);
        if (!found) return tl::unexpected(found.error());
        auto& item = *found;
        item.name = place->extra.title;
        item.sort_name.clear();
        item.extra_type = naming::to_string(place->extra.kind);
        merge_sources(item, {&file}, {std::string{}});
        const std::string folder(naming::parent_of(file.file.path));
        describer_.put_images(item,
                              {folder, {std::string(naming::stem_of(naming::name_of(file.file.path)))}, false, {}});
        describer_.put_external(item, false);
        Step step;
        step.folder = group.folder;
        finish(std::move(item), {&file}, step);
        steps.push_back(std::move(step));
    }
    return nobodys;
}

}  // namespace understudy::library
