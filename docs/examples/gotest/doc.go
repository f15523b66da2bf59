// Package gotest shows how the authors of an API test in Go what a rolling upgrade and a
// rollback do to its objects, with package skewtest.
package gotest
