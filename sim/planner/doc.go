// Package planner turns a scenario, a pair and a seed into a plan.Plan: the copies, the
// operations, and their stages and order.
//
// It is a pure function. It asks no server, executes nothing, and says of each combination
// that no stage can play why that is so.
package planner
