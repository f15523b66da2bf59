// Package pack turns a run's copies, steps, states and bodies into the compressed blocks
// of data that the page's script draws the states from.
//
// It draws nothing itself. A body that may hold a confidential value is withheld or
// fingerprinted here, and what does not fit a report's size is left out and counted.
package pack
