// Package pack compresses the copies, steps, states and bodies of a run into the data
// blocks from which the page's script draws states. It draws nothing itself. It withholds
// or fingerprints bodies that may hold a confidential value, and omits and counts bodies
// that exceed a report's size.
package pack
