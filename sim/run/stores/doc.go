// Package stores opens the etcds under the servers of a run, and ends the run when one of
// them ends by itself. It never reads what they hold.
package stores
