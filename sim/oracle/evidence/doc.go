// Package evidence turns a trace into what several checks use: the values that clients sent and
// servers acknowledged, with what happened to each; the effect of each call; the calls that can
// be compared with each other; which copies use the change; and which stored values a release was
// seen to be unable to read.
//
// Gather computes all of it before any check judges. The package makes no finding, and checks add
// nothing to the evidence.
package evidence
