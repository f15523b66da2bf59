// Package trace turns a history into timelines, one for each copy: its calls, observations,
// stored versions, creation and deletion. It also answers which release serves and
// publishes what.
//
// It records and never judges: no finding, cause or rule is decided here.
package trace
