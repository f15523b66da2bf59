// Package client implements the old and the new clients: it turns a step's verb, client and
// change into HTTP requests through one replica, and returns every request and answer
// unchanged.
//
// The interface Types has three implementations: a release's own types, from a Program; types
// derived from the release's published schema, where there are no others (Approximate); and no
// types at all (Untyped). A request that a client cannot make is an *UnfitError, before
// anything is sent.
//
// The package never retries: a 429 or a 5xx is evidence. It never judges an answer.
package client
