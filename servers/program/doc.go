// Package program runs the programs of a release: processes that run beside its API server and
// are replaced when the release is replaced, such as the conversion webhook of an operator.
//
// It turns a program file, written by a user, into a servers.Program, and a servers.Program into
// a running one that answers ConversionReviews. It is a process of this machine, or a container
// that the caller runs (Images). A program gets a port of the loopback address, a
// certificate that the run's authority issued, and a kubeconfig for one server of the run. Its
// output is in a log; it is killed when skewsim ends, however that happens. A program that ends
// by itself is started again, as a kubelet would do, and the review that it ended on fails.
//
// What a program answers is checked before a server sees it, so that the error names the
// program, the object, and the line that panicked. A wrong conversion is no error here: what it
// does to objects is for the oracle. Only an answer that nobody set the program up is an error of the
// user's: an object cannot be the reason.
//
//	file, err := program.Read("program.yaml", data)
//	p, err := file.Of(program.New).Program("v1.2.0", "")
//	running, err := program.Start(ctx, p, program.Placement{Authority: authority, LogPath: "a.log"})
//	defer running.Kill()
//	answer, err := running.Convert(ctx, review)
package program
