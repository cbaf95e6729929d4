#include "contract/scan_store/scan_store_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, ScanStoreContract, both_databases(), database_name);
INSTANTIATE_TEST_SUITE_P(databases, RemoveMissingContract, both_databases(), database_name);

}  // namespace understudy::testing
