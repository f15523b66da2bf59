// Package run executes a plan on real servers and records what happens: it turns a Plan
// into a History. A run executes the stages of its plan. The packages below start servers
// (fleet), send requests (act), watch and list (watching) and decode stored values
// separately (scratch), after a pre-check (precheck). Runs with the same journey can share
// a store and its servers. Answers are recorded, never judged; a run fails only if it
// cannot continue.
package run
