#include "contract/scan_store/libraries_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, LibrariesContract, both_databases(), database_name);

}  // namespace understudy::testing
