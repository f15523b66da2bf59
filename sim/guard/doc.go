// Package guard turns a panic in skewsim's own code into an error. A panic in any goroutine
// ends the process, and leaves servers, secrets and stores behind: code that starts a
// goroutine while servers run calls the goroutine's function through guard.
package guard
