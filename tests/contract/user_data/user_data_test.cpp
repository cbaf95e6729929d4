#include "contract/user_data/user_data_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, UserDataContract, both_databases(), database_name);

}  // namespace understudy::testing
