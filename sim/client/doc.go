// Package client is the old and the new clients: it turns a step's verb,
// client and mutation into HTTP requests through one replica, and keeps every
// request and answer as they were.
//
// It never retries: a 429 or a 5xx is evidence. It never judges an answer.
package client
