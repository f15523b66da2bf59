// Package recording turns requests, answers and changes of the store into records of a
// run's history, and remembers which releases have shown which stored values and which
// copies are alike. It never decides what to do next.
package recording
