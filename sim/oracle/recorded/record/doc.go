// Record plays runs, and keeps a small part of their histories as fixtures of the oracle.
//
//	go run ./sim/oracle/recorded/record -skewsim bin/skewsim [PATTERN...]
//
// It plays every mutant of the catalogue and the runs of runs.yaml, or those whose names
// match a pattern, one after the other. With -judge it plays nothing: it judges every
// recorded history anew and writes what the oracle makes of it into the index, for
// changes of the oracle that are meant. Afterwards it removes the files that the index
// does not lead to.
package main
