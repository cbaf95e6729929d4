#include "contract/scan_store/descriptions_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(stores, DescriptionsContract,
                         ::testing::Values(StoreKind::memory, StoreKind::sqlite, StoreKind::postgresql),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(databases, DescriptionRowsContract, both_databases(), database_name);

}  // namespace understudy::testing
