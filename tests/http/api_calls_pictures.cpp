#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> picture_calls(const ApiWorld& world) {
    const auto images_of = [](const std::string& id) { return "/Items/" + id + "/Images"; };
    const auto film = images_of(world.hex('1')), set = images_of(world.collection), list = images_of(world.playlist);
    const auto own = "/UserImage?userId=" + world.kid, by_user = "/Users/" + world.kid + "/Images/Primary";
    const auto photo = png_header(3000, 2000, "a photo");
    const std::string in_a_size = "/0123/Webp/40/60/0/0";
    return {
        {"GetItemImageInfos", film},
        {"GetItemImage", film + "/Primary"},
        {"GetItemImage", images_of(world.people.rows.front().id.str()) + "/Primary?maxWidth=100&format=Jpg"},
        {"HeadItemImage", film + "/Primary"},
        {"GetItemImageByIndex", film + "/Backdrop/0"},
        {"HeadItemImageByIndex", film + "/Backdrop/0"},
        {"GetItemImage2", film + "/Backdrop/0" + in_a_size},
        {"HeadItemImage2", film + "/Backdrop/0" + in_a_size},
        {"GetChapterImage", film + "/Chapter/0"},
        {"GetChapterImage", film + "/Chapter/0?fillWidth=96&fillHeight=54"},
        {"GetChapterImage2", film + "/Chapter/0" + in_a_size},
        {"SetItemImage", set + "/Primary", photo, 204},
        {"GetItemImage", set + "/Primary?maxHeight=300"},
        {"GetItemImageInfos", set},
        {"DeleteItemImage", set + "/Primary", "", 204},
        {"SetItemImageByIndex", list + "/Primary/0", photo, 204},
        {"GetItemImageByIndex", list + "/Primary/0"},
        {"DeleteItemImageByIndex", list + "/Primary/0", "", 204},
        {"SetItemImage", set + "/Backdrop", photo, 501},
        {"PostUserImage", own, photo, 204},
        {"GetUserImage", own},
        {"GetUserImage", own + "&width=40&quality=80"},
        {"HeadUserImage", own},
        {"GetUserById", "/Users/" + world.kid},
        {"GetUserImageLegacy", by_user},
        {"HeadUserImageLegacy", by_user},
        {"GetUserImageByIndex", by_user + "/0"},
        {"DeleteUserImage", own, "", 204},
        {"PostUserImageLegacy", by_user, photo, 204},
        {"DeleteUserImageLegacy", by_user, "", 204},
        {"PostUserImageByIndex", by_user + "/0", photo, 204},
        {"DeleteUserImageByIndex", by_user + "/0", "", 204},
    };
}

}  // namespace understudy::testing
