// Package page writes report.html for a run, as one file that needs no network, and
// index.html for several runs.
//
// The template, the styles and the scripts are its assets. It draws the timeline of the servers, packs the
// copies, steps, states and bodies of a run into the data from which the page's script draws states, and has
// the table of rows that the pages of sweeps and preflights share: a filter, a search, an order, rows that
// open, and keys, all of which the page's address repeats. Bodies that may hold a confidential value are
// withheld or fingerprinted; those that exceed a report's size are omitted and counted. Only the page's own
// scripts and styles may run: a content security policy names them by their hashes, and no text of an object
// becomes markup.
package page
