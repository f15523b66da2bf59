// Package neighbours says which releases of kube-apiserver tests play.
//
// It turns what the module proxy has into builds: the newest releases that can be had and
// lie next to one another. No release can be had for ever, so no test names one that it
// must have. The package never skips a test where anything can be played, and says what
// is played in the place of what.
//
//	old, new := neighbours.Pair(t)
package neighbours
