// Package fault classifies an error by its origin: the user, the infrastructure, skewsim
// itself, or the software under test.
//
// It turns an error into a [Fault]. Whoever makes an error knows what it is, and has it
// carry that: by the one method of [Carrier], or in a wrapper. Whoever decides what
// follows from an error (an exit code, another attempt, a word in matrix.json) asks [Of],
// and reads neither types nor texts. An error that names options (Optionf) leaves to the
// caller how users write them (Text). A panic of skewsim's own code is such an error too: in any
// goroutine it ends the process, and leaves servers, secrets and stores behind, so code that starts a
// goroutine while servers run calls its function through [Guard]. The package decides nothing itself, and imports
// nothing of this repository, so that servers, a run and the command line share it.
package fault
