// Package plan decides everything that a run will do, stage by stage, before any server starts.
//
// It turns a scenario, a pair and a seed into a [Plan]: the copies, the operations, and their
// stages and order. A plan prints, compares and serialises; the history's header contains all of it,
// and package run executes it. Of each combination that no stage can play, it says why that is so.
// It is a pure function: it asks no server, and starts, reads or writes nothing.
package plan
