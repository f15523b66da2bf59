// Command skewsim plays a rolling upgrade, a rollback and a second upgrade of
// an API server on real servers that share one etcd, and says what happens
// to the objects stored there.
//
// The command wires flags to the packages that do the work, and turns what comes back into an exit code:
// ExitCode is the only function that knows integers. It holds no rule, no format and no server of its own.
package main
