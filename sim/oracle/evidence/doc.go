// Package evidence turns a trace into what several checks use: the values that clients sent and
// servers acknowledged with what became of each (AckedValue), the effect of each call, the
// calls that can be compared with each other, which copies use the change, and what no server
// can be blamed for.
//
// It compares what was seen and never says that something is wrong: no finding is made here.
package evidence
