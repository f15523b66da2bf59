// Package table is the table of rows of the pages of sweeps and preflights: a filter, a search, an order, rows
// that open, and keys, all of which the page's address repeats. A page's own script says which rows there are
// and what their cells show, and calls startTable.
package table
