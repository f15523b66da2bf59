// Package neighbours builds the releases of kube-apiserver that tests start.
//
// It turns the pairs that scenarios/tiers/tiers.yaml fixes for the tier kubernetes into
// builds: those of the newest pair whose releases the module proxy has. It does not look
// at what was built before to choose them, so that two machines test the same releases.
// It never skips a test because of a missing release while it finds a pair, and it prints
// which pair it takes instead. Only tests import it.
//
//	old, new := neighbours.Pair(t)
package neighbours
