// Package preflighttest makes stores such as clusters have them, for tests of preflight.
//
// It turns the valid objects in a release's source into many objects of many shapes and sizes, which
// a real server of the release stores. The same seed makes the same objects.
package preflighttest
