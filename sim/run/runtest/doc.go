// Package runtest provides fake servers, stores and plans for tests below sim/run. Only
// tests import it.
package runtest
