package scenarios

import (
	"regexp"
	"strings"
)

// ofModule begins a pair of releases of a Go module.
const ofModule = "module:"

// Components are those that have a name of their own here.
func Components() []string { return []string{TwinComponent, DefaultComponent, ManifestComponent} }

// OfModules tells whether the releases are API servers of Go modules, whose component
// their adapter names.
func (r Releases) OfModules() bool { return r.Adapter != "" || strings.HasPrefix(r.Pair, ofModule) }

// ModulePair is module:MODULE@old..new; the new one may name the module again.
var ModulePair = regexp.MustCompile(`^module:([^@]+)@(.+?)\.\.(?:module:([^@]+)@)?([^@]+)$`)
