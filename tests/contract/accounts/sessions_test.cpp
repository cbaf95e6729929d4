#include "contract/accounts/sessions_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, SessionsContract, both_databases(), database_name);

}  // namespace understudy::testing
