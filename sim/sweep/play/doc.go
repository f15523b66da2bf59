// Package play sweeps two releases on real servers, and writes the result to a directory.
//
// It turns a [Request], as a user writes it, into builds, comparisons, specimens, the runs of
// each lap, and a [sweep.Result], which it writes after each lap, also where the sweep ends
// early. It has servers of both releases read the serialized objects in a release's source ([Fixtures])
// without any validation in the way, and adds what they read to the rows. It sends dry runs too, and gives
// the rows that only their answers show, and those of definitions that cannot be replaced, their verdicts;
// package sweep decides all others, from the findings of the oracle. It decides no exit code.
package play
