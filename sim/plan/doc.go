// Package plan defines the plan of a run: the numbered list of everything that the run will
// do, stage by stage. It turns steps, copies and stages into words and into objects.
//
// A plan prints, compares and serialises, and the history's header contains all of it. Package
// planner makes plans; package run executes them. Package plan never starts, reads or writes
// anything.
package plan
