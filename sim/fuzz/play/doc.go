// Package play executes package fuzz on the builds of a pair, and writes the result to a
// directory.
//
// It turns a [Request], as a user writes it, into builds, stores, servers and a
// [fuzz.Result], and writes the result and the object of each violation into the directory,
// also where the run ends early. It decides no verdict and no exit code.
package play
