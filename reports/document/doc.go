// Package document turns what a report says into each format: the fillers of runs, chains,
// merged runs, sweeps and preflights give it a document and test suites, and a renderer
// for each format writes them for a terminal, as Markdown or JUnit. Data is written as JSON as it is. A page of its own
// design takes its frame from here: the style, the scripts, the policy and the packed data, and the table of
// rows that the pages of sweeps and preflights share: a filter, a search, an order, rows that open, and keys, all
// of which the page's address repeats.
//
// A Document holds texts as they came from objects and servers. Each renderer makes them
// inert for its own format, so that no filler can forget it. The package judges nothing,
// decides nothing about runs, and reads no file.
//
//	err := document.Markdown(w, "sweep.md", document.Document{Title: "sweep", Sections: sections})
package document
