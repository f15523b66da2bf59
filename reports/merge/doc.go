// Package merge writes the page of several runs: index.html, merged.json, report.md and
// junit.xml in one directory.
//
// It never judges a run, and never overwrites a page that it did not write, or a run.
package merge
