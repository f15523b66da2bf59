// Package client sends the requests of a run's old and new clients, and returns every
// request and response unchanged.
//
// The interface Types has three implementations: a release's own types, from a Program; types
// derived from the release's published schema, where there are no others (Approximate); and no
// types at all (Untyped). A request that a client cannot make is an *UnfitError, before
// anything is sent.
//
// The package never retries: a 429 or a 5xx is evidence. It never judges an answer.
package client
