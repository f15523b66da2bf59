package apiserver

import (
	"fmt"
	"maps"

	"github.com/hashicorp/go-version"
)

// Behaviour returns the flags, without dashes, that only change how the server library treats
// requests and stored objects: they name no file, program or address. The value is the first
// release that has the flag; "" means all releases.
func Behaviour() map[string]string {
	return map[string]string{
		"storage-media-type": "", "delete-collection-workers": "", "enable-garbage-collector": "",
		"watch-cache": "", "watch-cache-sizes": "",
		"v": "", // more detail in the logs
	}
}

// And merges more into flags.
func And(flags, more map[string]string) map[string]string {
	all := maps.Clone(flags)
	maps.Copy(all, more)
	return all
}

// AgainstFile returns why a scenario file, which anyone may have written, may not set a flag
// for a release of the component, or "" if it may. The command line may set all flags that
// Against allows. release is "" if it is unknown.
func (c Component) AgainstFile(flag, release string) string {
	if why := c.Against(flag); why != "" {
		return why
	}
	name, _ := flagName(flag)
	since, allowed := c.Behaviour[name]
	if !allowed || c.renames(name) {
		return fmt.Sprintf("%q: a scenario file may set only flags that change how the API behaves, and --%s does more: set it on the command line, with --old-flags or --new-flags", flag, name)
	}
	if v, err := version.NewVersion(release); err == nil && since != "" && v.Core().LessThan(version.Must(version.NewVersion(since))) {
		return fmt.Sprintf("%q: %s does not know the flag, which %s adds", flag, release, since)
	}
	return ""
}

// renames reports whether the component calls another flag by that name.
func (c Component) renames(name string) bool { return len(c.meant(name)) > 0 }
