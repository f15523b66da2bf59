// Package cli is the command line of the reference server, frobber-apiserver: it serves a
// release of Frobber, lists the releases, and runs the typed clients of a release.
//
// Command frobber-apiserver is nothing else. Skewsim and test binaries run it when their first
// argument says so, so that one executable is enough:
//
//	if len(os.Args) > 1 && os.Args[1] == frobberapiserver.Subcommand {
//		os.Exit(cli.Main(os.Args[2:]))
//	}
package cli
