// Package shell quotes texts as words of POSIX shell commands that users can paste. It
// never executes anything.
package shell
