// Package client is the old and the new clients: it turns a step's verb,
// client and mutation into HTTP requests through one replica, and keeps every
// request and answer as they were.
//
// Whose types a client has is behind one interface, Types: a release's own,
// which a Program gives; what its published schema lets one guess, where there
// are none (Approximate); or none at all (Untyped). What a client cannot ask
// for is an *UnfitError, before any request is made.
//
// It never retries: a 429 or a 5xx is evidence. It never judges an answer.
package client
