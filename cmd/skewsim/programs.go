package main

import (
	"github.com/spf13/pflag"
)

// allowPrograms is the flag without which no scenario's file chooses what is executed: files
// come with pull requests of people nobody knows.
const allowPrograms = "allow-programs"

func registerPrograms(flags *pflag.FlagSet, allowed *bool) {
	flags.BoolVar(allowed, allowPrograms, false, "let scenario files choose what is executed: path:, source:, image: and module: builds, and adapters")
}

// registerServer registers --server, which without a value is what the text says.
func registerServer(flags *pflag.FlagSet, server *string, without string) {
	flags.StringVar(server, "server", "", "of crd: builds, the kube-apiserver `build` that the definitions are installed on (default: "+without+")")
}
