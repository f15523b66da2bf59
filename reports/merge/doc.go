// Package merge writes the page of several runs into a directory: it turns runs that package
// gather has read into index.html, merged.json, report.md and junit.xml.
//
// It never judges a run, and never overwrites a page that it did not write, or a run.
package merge
