// Package process runs an executable as a child that cannot outlive its
// parent.
//
// It turns a Command into a running Process: its output lies in a log file,
// its end is announced by a channel, and it can be stopped politely or killed.
// It never starts a shell, never passes on the whole environment, never lets a
// terminal's Ctrl-C reach the child (the parent decides when a child stops) and
// never writes on the parent's own standard output or error.
//
// On Linux the kernel kills the child when the parent dies, however it dies.
// On other systems the child is stopped when the parent ends in an orderly way,
// but a parent ended by SIGKILL leaves it running.
//
//	p, err := process.Start(process.Command{Path: "/bin/sleep", Args: []string{"60"}, LogPath: "sleep.log"})
//	if err != nil { ... }
//	defer p.Kill()
package process
