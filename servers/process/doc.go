// Package process runs an executable as a child process that ends with its parent.
//
// It turns a Command into a running Process, which writes its output to a log file, reports its
// end by a channel, and can be stopped or killed. It never starts a shell, never passes on the
// whole environment, never lets a terminal's Ctrl-C reach the child (the parent decides when a
// child stops) and never writes to the parent's own standard output or error.
//
// On Linux the kernel kills the child when the parent dies for any reason. On other systems the
// child is stopped when the parent exits normally, but survives a parent that is ended by
// SIGKILL.
//
//	p, err := process.Start(process.Command{Path: "/bin/sleep", Args: []string{"60"}, LogPath: "sleep.log"})
//	if err != nil { ... }
//	defer p.Kill()
package process
