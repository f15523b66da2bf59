// Command mutate runs the tests of a package against mutants of its code: copies with one
// small mistake each, also in the packages that it imports. A mutant that all tests pass
// has survived, and shows what no test asserts.
//
// All mutants are compiled into one test binary, and an environment variable selects one of them.
// So a mutant costs no compilation, and runs only the tests that reach its place, the quickest
// first. The working tree is not modified: the mutants are in an overlay.
//
//	go run ./sim/oracle/mutate -shard 1/8 -out out/mutation ./sim/oracle
//	go run ./sim/oracle/mutate -list out/mutation
package main
