#include "contract/home/similar_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(databases, SimilarContract, both_databases(), database_name);

}  // namespace understudy::testing
