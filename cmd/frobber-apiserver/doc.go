// Command frobber-apiserver is the reference API server: every release of the
// Frobber API, right or wrong on purpose, in one binary. Container images hold it;
// skewsim runs the same from its own executable.
package main
