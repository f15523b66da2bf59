// Package app is what the commands of skewsim share: where they print, what makes their
// builds and executes their runs, and how they end.
//
// It turns the state of one command into what an interruption has to stop, and an error
// into an exit code: ExitCode is the only function that knows integers. The package
// registers no command.
package app
