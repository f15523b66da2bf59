// Package session sweeps two releases on real servers, and writes the result to a
// directory.
//
// It turns a [Request], as a user writes it, into builds, comparisons, specimens, one run
// for each lap, and a [sweep.Result], which it writes after each lap, also where the sweep
// ends early. It decides no verdict and no exit code: package sweep has the rows, and the
// oracle the findings.
package session
