// Package build turns Go modules, checkouts and published releases into executables, and
// caches them.
//
// It turns a [Recipe] (a main.go, and a way to get the go.mod and linker flags it needs) into an executable
// in a cache directory that any number of processes share. A binary is only ever handed out after its
// digest was verified; it appears in the cache whole or not at all. The package never builds the same thing
// twice at once, never depends on the caller's module or workspace, never needs the network for what it
// already has, and never writes to a terminal: it reports to a [Progress].
//
// Its inputs are the modules in which Kubernetes is published ([Source]), a Kubernetes checkout, whose
// folder is never written to ([Checkout]), and the executables that Kubernetes publishes with each release
// ([Mirror]). Where the module proxy withholds a module that a build needs, the nearest later version
// stands in, and the build says so: it is never taken for the true one. The checksum of a published
// executable comes from the server that it comes from: it finds damage, not an attacker. The cache says
// where each executable is from.
//
//	cache, err := build.OpenCache("")
//	built, err := cache.Get(ctx, recipe, nil)
//	exec.Command(built.Path)
package build
