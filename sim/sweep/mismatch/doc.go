// Package mismatch has what the servers of a sweep say of their own validation: where hand-written
// and declarative validation answer differently to the same object. It merges equal mismatches, and
// puts them into words; package apiserver reads them from the servers' logs.
package mismatch
