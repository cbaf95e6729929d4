#include "contract/scan_store/catalog_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, CatalogContract, both_databases(), database_name);
INSTANTIATE_TEST_SUITE_P(databases, CatalogDescriptionsContract, both_databases(), database_name);

}  // namespace understudy::testing
