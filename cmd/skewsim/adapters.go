package main

import (
	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
)

// registerAdapter registers the flag for an adapter's file.
func registerAdapter(flags *pflag.FlagSet, adapter *string) {
	flags.StringVar(adapter, "adapter", "", "of builds that are named as module:MODULE@VERSION, the `file` that says how their server is started")
}

// adaptsAny refuses an adapter that is for none of the builds of these names. Names that
// are no references are told of elsewhere.
func adaptsAny(adapter string, names []string) error {
	var refs []*servers.Reference
	for _, name := range names {
		if ref, err := servers.ParseReference(name); err == nil {
			refs = append(refs, &ref)
		}
	}
	return engine.Adapt(adapter, refs...)
}
