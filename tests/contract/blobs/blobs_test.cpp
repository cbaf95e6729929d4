#include "contract/blobs/blobs_contract.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(providers, BlobsContract,
                         ::testing::Values(Provider::folder, Provider::sqlite, Provider::postgresql), provider_name);

}  // namespace understudy::testing
