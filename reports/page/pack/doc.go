// Package pack turns a run's copies, steps, states and bodies into the compressed blocks of
// data that the page's script draws the states from. It draws nothing itself. It withholds
// or fingerprints bodies that may hold a confidential value, and omits and counts bodies
// that exceed a report's size.
package pack
