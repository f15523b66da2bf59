package apiserver

import (
	"fmt"
	"maps"

	"github.com/hashicorp/go-version"
)

// Behaviour returns the flags, without dashes, that change what the server library does
// with requests and stored objects, and reach nothing else: they name no file, program or
// address. Each has the first release that knows it; "": all do.
func Behaviour() map[string]string {
	return map[string]string{
		"storage-media-type": "", "delete-collection-workers": "", "enable-garbage-collector": "",
		"watch-cache": "", "watch-cache-sizes": "",
		"v": "", // more in the logs, which shows what a server does
	}
}

// And returns flags with more of them.
func And(flags, more map[string]string) map[string]string {
	all := maps.Clone(flags)
	maps.Copy(all, more)
	return all
}

// AgainstFile says why a file that anyone may have written may not give a flag to a release
// of the component; "" if it may. The command line may give whatever Against lets pass. The
// version may be unknown, which is "".
func (c Component) AgainstFile(flag, release string) string {
	if why := c.Against(flag); why != "" {
		return why
	}
	name, _ := flagName(flag)
	since, allowed := c.Behaviour[name]
	if !allowed || c.renames(name) {
		return fmt.Sprintf("%q: a scenario's file may give only flags that change how the API behaves, and --%s is none of those: give it on the command line, with --old-flags or --new-flags", flag, name)
	}
	if v, err := version.NewVersion(release); err == nil && since != "" && v.Core().LessThan(version.Must(version.NewVersion(since))) {
		return fmt.Sprintf("%q: %s does not know the flag, which %s adds", flag, release, since)
	}
	return ""
}

// renames reports whether the component calls another flag by that name.
func (c Component) renames(name string) bool { return len(c.meant(name)) > 0 }
