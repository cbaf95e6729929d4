#include "contract/accounts/configurations_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, ConfigurationsContract, both_databases(), database_name);

}  // namespace understudy::testing
