// Command mutate runs the tests of a package, and of those that it imports from below it, against
// mutants of their code: copies with one small mistake each. A mutant that all tests pass has
// survived, and shows what no test asserts.
//
// All mutants are compiled into each test binary, and an environment variable selects one of them.
// So a mutant costs no compilation, and runs only the tests that reach its place, the quickest
// first. The working tree is not modified: the mutants are in an overlay.
//
//	go run ./sim/oracle/mutate -shard 1/8 -out out/mutation ./sim/oracle
//	go run ./sim/oracle/mutate -list out/mutation
package main
