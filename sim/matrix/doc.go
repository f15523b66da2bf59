// Package matrix decides which scenarios run on which pairs of releases, and defines
// matrix.json.
//
// It turns both into cells: which scenario is played with which pair, and why the others are
// not; what each cell costs; and how cells are split among several machines. It never plays a
// cell. State, the content of matrix.json, records the results of the cells for the code that
// plays them.
package matrix
