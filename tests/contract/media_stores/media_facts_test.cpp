#include "contract/media_stores/media_facts_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, MediaFactsContract, both_databases(), database_name);

}  // namespace understudy::testing
