// Package probe starts one build on a scratch store, outside any run, and finds out what a release
// publishes.
//
// It turns a build and the options of its servers into a [Server] with a connection, and
// removes the server, its store and its secrets again; and it turns the name of a release into a
// [published.Release], with or without a server. It records nothing, compares nothing and judges nothing.
//
//	server, err := probe.Start(ctx, probe.Config{Build: build, Runtime: newRuntime, EveryAPI: true})
//	if err != nil { ... }
//	defer server.Close()
package probe
