// Package sweep turns the differences between two releases into journeys, and the judged
// journeys into one row for each difference.
//
// It turns a [diff.Result] into targets of package exercise, the specimens that come back
// into a scenario, and the result and ledger of the scenario's run into a [Result]. It
// starts no server and draws no report: package session runs what it plans, and reports/sweep
// draws it. A sweep has no judgement of its own: the oracle's findings and the ledger decide
// every row.
package sweep
