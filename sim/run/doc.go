// Package run executes a plan on real servers and records what happens: it turns a Plan
// into a History.
//
// A run goes through the stages of its plan, and has the packages below it start servers
// (fleet), send requests (act), watch and list (watching) and decode apart (scratch), after
// a pre-check (precheck). Runs that share a journey share a store and its servers. Answers
// are recorded, never judged; a run fails only when it cannot go on.
package run
