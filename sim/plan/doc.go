// Package plan is a plan as data: the numbered list of everything a run will do, stage by
// stage, with what its steps, copies and stages say of themselves, in words and as objects.
//
// It is pure: a plan prints, compares and serialises, and the history's header carries it
// whole. Package planner decides what is in it; package run executes it. It never starts,
// reads or writes anything.
package plan
