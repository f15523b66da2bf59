//go:build race

package main

// raceDetector reports whether this test binary was built with -race.
const raceDetector = true
