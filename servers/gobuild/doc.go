// Package gobuild builds Go programs from modules, and caches the executables.
//
// It turns a Recipe (a main.go, and a way to get the go.mod and linker flags
// it needs) into an executable in a cache directory that any number of
// processes share. A binary is only ever handed out after its digest was
// verified; it appears in the cache whole or not at all. The package never
// builds the same thing twice at once, never depends on the caller's module or
// workspace, never needs the network for what it already has, and never writes
// to a terminal: it tells a Progress. Where the module proxy withholds a module that a
// build needs, the nearest later version stands in, and the build says so: it is never
// taken for the true one. Programs that somebody else built come from Binaries; the cache
// says where each is from.
//
//	cache, err := gobuild.Open("")
//	built, err := cache.Get(ctx, recipe, nil)
//	exec.Command(built.Path)
package gobuild
