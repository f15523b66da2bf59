// Package requests turns a call into what it asks for: the values that it offers, the paths that
// it names, what the instructions of a JSON patch do to an object.
//
// It does not look at the outcome of the call: the answer counts only where the request alone
// does not show what was sent.
package requests
