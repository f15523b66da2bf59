// Package release says what a release of the Frobber API server is: the API
// versions it serves, the one it stores, its feature gates, and the rules that
// its objects obey.
//
// A release is data. Package train makes releases by applying edits, one after
// the other; package apiserver serves one. Nothing here starts or stores
// anything.
package release
