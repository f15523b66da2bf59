// Package adapter reads the files that describe how a program of a release is started: the API
// server of a Go module (see package aggregated), or a program that runs beside a server (see
// package program).
//
// It turns the one YAML document of a file into calls for its keys, and collects every problem
// with its line. Which keys a file has, and what they mean, is for its callers. All files name
// their program with component, and pass it flags.
package adapter
