// Package page writes report.html for a run, as one file that needs no network, and
// index.html for several runs.
//
// The template, the styles and the scripts are its assets. It draws the timeline of the servers, and packs the
// copies, steps, states and bodies of a run into the data from which the page's script draws states. Bodies that may hold a confidential value are
// withheld or fingerprinted; those that exceed a report's size are omitted and counted. Only the page's own
// scripts and styles may run: a content security policy names them by their hashes, and no text of an object
// becomes markup.
package page
