#include "contract/home/discovery_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, DiscoveryContract, both_databases(), database_name);

}  // namespace understudy::testing
