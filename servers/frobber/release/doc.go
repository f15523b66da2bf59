// Package release describes a release of the Frobber API server: its served versions, its
// storage version, its feature gates, and its validation rules.
//
// A release is data. Package train makes releases by applying edits, one after
// the other; package apiserver serves one. Nothing here starts or stores
// anything.
package release
