// Package runtest is the fake world for tests below sim/run: servers that answer as small
// API servers would, over stores that remember, and a plan with all kinds of steps. Only
// tests import it.
package runtest
