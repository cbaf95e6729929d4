#include "contract/people/people_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, PeopleContract, both_databases(), database_name);

}  // namespace understudy::testing
