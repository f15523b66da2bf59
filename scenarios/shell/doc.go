// Package shell turns texts into words of commands that users paste into a POSIX shell. It
// never executes anything.
package shell
