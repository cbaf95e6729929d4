#include "contract/media_stores/covers_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, CoversContract, both_databases(), database_name);

}  // namespace understudy::testing
