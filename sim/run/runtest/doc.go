// Package runtest is the fake world of tests below sim/run: servers that answer as small
// API servers would, over stores that remember, and a plan of all kinds of steps. Only
// tests import it.
package runtest
