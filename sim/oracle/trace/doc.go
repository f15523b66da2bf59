// Package trace turns a history into timelines, one for each copy: what each call did to the
// copy, each answer that showed it (Observation), each form in which it was stored
// (StoredVersion), when it was created and deleted. It also answers which release serves and
// publishes what.
//
// It records and never judges: no finding, cause or rule is decided here.
package trace
