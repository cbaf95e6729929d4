#include "contract/accounts/open_sockets_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, OpenSocketsContract, both_databases(), database_name);

}  // namespace understudy::testing
