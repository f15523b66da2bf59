// Package serverstest is the test suite that every implementation of servers.Runtime
// passes.
//
// It turns a Subject (how to make the runtime, a build it can start, a store)
// into subtests of everything the interface promises. It knows no kind of
// server, and looks at processes and files from outside, through the kernel, so
// that a runtime cannot talk its way through.
//
//	serverstest.Run(t, serverstest.Subject{New: ..., Build: build, Store: ..., Object: ...})
package serverstest
