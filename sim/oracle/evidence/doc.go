// Package evidence turns a trace into what several checks use: the values that clients sent and
// servers acknowledged with what became of each, the effect of each call, the calls that can be
// compared with each other, which copies use the change, and which stored values a release was
// seen to be unable to read.
//
// Gather finds all of it out before any check judges. It never says that something is wrong:
// no finding is made here, and checks add nothing to it.
package evidence
