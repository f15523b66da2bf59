// Package probe starts one build on a scratch store, outside any run, so that a caller can ask
// it.
//
// It turns a build and the options of its servers into a [Server] with a connection, and
// removes the server, its store and its secrets again. It records nothing and judges nothing.
//
//	server, err := probe.Start(ctx, probe.Config{Build: build, Runtime: newRuntime, EveryAPI: true})
//	if err != nil { ... }
//	defer server.Close()
package probe
