// Package seclusion keeps the servers of a copy from reaching anything outside of it.
//
// It turns a stored object that would make a kube-apiserver call another server into one that does
// not, or leaves it out: webhooks of admission and conversion, and APIs that another server serves.
// It starts nothing, and looks at no other object.
package seclusion
