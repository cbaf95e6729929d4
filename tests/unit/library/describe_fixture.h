// tests/unit/library/describe_fixture.h: a library with files beside its media, and what a scan made of them.
#pragma once

#include "unit/library/scan_fixture.h"

namespace understudy::library {

class DescribeTest : public ScanTest {
protected:
    void nfo(const std::string& below, const std::string& root, const std::string& inside) {
        tree.file(below, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<" + root + ">" + inside + "</" + root + ">\n");
    }
    /// A scan that must not open or read anything it knows.
    void expect_quiet_scan() {
        prober.forget_opens();
        files->forget();
        scan();
        EXPECT_EQ(prober.opens(), 0U);
        EXPECT_THAT(files->files_read(), ::testing::IsEmpty());
        EXPECT_EQ(run->commits, 1) << "the roots and the time, nothing else";
        EXPECT_EQ(count("described"), 0);
    }
    /// A scan that reads these (below the tree) and probes nothing.
    void expect_scan_reads(const std::vector<std::string>& wanted) {
        prober.forget_opens();
        files->forget();
        scan();
        EXPECT_EQ(prober.opens(), 0U);
        std::vector<std::string> read;
        for (const auto& path : files->files_read()) read.push_back(path.substr(tree.root().size() + 1));
        EXPECT_THAT(read, ::testing::UnorderedElementsAreArray(wanted));
    }
    [[nodiscard]] std::vector<std::string> images_of(const model::Item& item) const {
        std::vector<std::string> found;
        for (const auto& image : item.images) {
            found.push_back(std::string(model::to_string(image.kind)) + " " +
                            image.path.substr(tree.root().size() + 5));  // behind "/lib/"
        }
        return found;
    }
    [[nodiscard]] model::Item named(model::ItemKind kind, const std::string& name) const {
        for (const auto& item : items(kind)) {
            if (item.name == name) return item;
        }
        ADD_FAILURE() << "no " << model::to_string(kind) << " called " << name;
        return {};
    }
};

}  // namespace understudy::library
