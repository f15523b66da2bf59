// Package sweep turns the differences between two releases into scenarios, and the judged
// runs of the scenarios into one row for each difference.
//
// It turns a [diff.Result] into targets of package try, the specimens that come back into a scenario, and
// the result and ledger of the scenario's run into a [Result]. A [Scope] restricts what is swept. The names
// of rows and objects depend on the difference alone, so that two sweeps of the same releases agree. It
// starts no server and draws no report: package play runs what it plans, and reports/sweep draws it. A
// sweep has no judgement of its own: the oracle's findings and the ledger decide every row, and dry runs
// decide the rows that no run plays.
package sweep
