// Package plan is a plan as data: the numbered list of everything a run will do, stage by
// stage. It turns steps, copies and stages into words and into objects.
//
// A plan prints, compares and serialises, and the history's header contains all of it. Package
// planner makes plans; package run executes them. Package plan never starts, reads or writes
// anything.
package plan
