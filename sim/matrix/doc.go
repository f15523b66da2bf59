// Package matrix lays scenarios out over pairs of releases.
//
// It turns both into cells: which scenario is played with which pair, and why every
// other is not; what each costs; and how they are dealt out to several machines. It is
// pure: who plays the cells, and keeps what came of them, is told by State, which is
// the content of matrix.json.
package matrix
