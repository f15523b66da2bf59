// Package guard turns a panic in skewsim's own code into an error. A panic in any goroutine
// ends the process, and leaves servers, secrets and stores behind: whoever starts a
// goroutine while servers run has guard call what the goroutine does.
package guard
