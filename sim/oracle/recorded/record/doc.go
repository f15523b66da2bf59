// Record executes runs, and keeps a small part of their histories as fixtures of the oracle.
//
//	go run ./sim/oracle/recorded/record -skewsim bin/skewsim [PATTERN...]
//
// It runs every mutant of the catalogue and the runs of runs.yaml, or those whose names match a
// pattern, one after the other. With -judge it executes no run: it judges every recorded history
// again and writes the results into the index, which an intended change of the oracle needs.
// Afterwards it removes the files that the index does not refer to.
package main
