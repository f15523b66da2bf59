// Package preflights has the command that plays a user's own objects through an upgrade and back.
//
// It turns the command's flags into a source of objects and a request of sim/preflight/session, and what
// that finds into an exit code. It plays nothing itself.
package preflights
