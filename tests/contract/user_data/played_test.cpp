#include "contract/user_data/played_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, PlayedContract, both_databases(), database_name);

}  // namespace understudy::testing
