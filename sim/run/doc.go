// Package run walks a plan on real servers and writes down what happens: it
// turns a Plan into a History.
//
// It starts, replaces and stops replicas, lets clients act through them, looks
// at every object through every live replica after each write, and follows the
// store from its first revision. Answers are recorded, never judged; a run
// fails only when it cannot go on.
package run
