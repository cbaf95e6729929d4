#include "contract/collections/collections_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, CollectionsContract, both_databases(), database_name);

}  // namespace understudy::testing
