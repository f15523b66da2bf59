// Package stores opens the etcds of a run, and ends the run when one of them ends by
// itself. It never reads their content.
package stores
