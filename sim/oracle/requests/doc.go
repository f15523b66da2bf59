// Package requests turns a call into what it asks for: the values that it offers, the paths
// that it names, what the instructions of a JSON patch do to an object.
//
// It never asks what became of the call: an answer counts only where the request alone does
// not say what was sent.
package requests
