// Package checks has the oracle's checks, each a function of the evidence of one run: whether
// acknowledged values stay (nothing-lost, rule-4, resurrection), how calls are answered (rule-1, rule-3,
// rule-5, answers, installs, stays-writable), whether every release can read what is stored
// (everything-decodes), and whether two releases behave the same (rule-2, rule-6, emulates).
//
// No check asks what another one reports: where several could report a fact, Judge decides which one does.
package checks
