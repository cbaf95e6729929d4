#include "contract/home/shows_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, ShowsContract, both_databases(), database_name);

}  // namespace understudy::testing
