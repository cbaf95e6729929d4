#include "library/watch/network_mount.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace understudy::library {

bool is_network_mount(const std::string& path) {
    // f_type of statfs(2); numbers from linux/magic.h and the file systems' own sources. FUSE is here because most of
    // it is a share (sshfs, rclone, mergerfs over shares) and its server need not tell the kernel of changes.
    constexpr std::array<std::uint32_t, 14> kinds{
        0x6969,      // NFS
        0xFF534D42,  // CIFS
        0xFE534D42,  // SMB2
        0x517B,      // SMB (smbfs)
        0x65735546,  // FUSE
        0x01021997,  // 9P
        0x5346414F,  // AFS (OpenAFS)
        0x6B414653,  // AFS (kAFS)
        0x00C36400,  // Ceph
        0x73757245,  // Coda
        0x564C,      // NCP
        0x0BD00BD0,  // Lustre
        0x47504653,  // GPFS
        0x786F4256,  // VirtualBox shared folders
    };
    struct statfs found {};
    if (::statfs(path.c_str(), &found) != 0) return false;
    return std::ranges::find(kinds, static_cast<std::uint32_t>(found.f_type)) != kinds.end();
}

}  // namespace understudy::library
