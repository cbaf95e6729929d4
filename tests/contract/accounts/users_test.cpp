#include "contract/accounts/users_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, UsersContract, both_databases(), database_name);

}  // namespace understudy::testing
