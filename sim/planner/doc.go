// Package planner turns a scenario, a pair and a seed into a plan.Plan, before any server
// starts: which objects are made in which forms, which lines multiply to which operations,
// which stages play them, and in which order.
//
// It is a pure function. It asks no server, executes nothing, and says of each combination
// that no stage can play why that is so.
package planner
