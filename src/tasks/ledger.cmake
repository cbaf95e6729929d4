# The run ledger's rules (no I/O): rows come through the port LedgerTables; adapters: database/, tests/support.
target_sources(tasks PRIVATE ${CMAKE_CURRENT_LIST_DIR}/run_ledger.cpp)
add_module(tasks_ledger SOURCES ledger_rules.cpp ledger_claims.cpp transactional_run_ledger.cpp USES tasks core)
