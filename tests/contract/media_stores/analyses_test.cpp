#include "contract/media_stores/analyses_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, AnalysesContract, both_databases(), database_name);

}  // namespace understudy::testing
