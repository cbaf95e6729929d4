#include "contract/session/session_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, SessionContract, both_databases(), database_name);

}  // namespace understudy::testing
