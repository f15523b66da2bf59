package scenarios

import (
	"regexp"
	"strings"
)

// ofModule is the prefix of a pair of releases of a Go module.
const ofModule = "module:"

// Components are the components that skewsim knows by name.
func Components() []string { return []string{MutantComponent, DefaultComponent, ManifestComponent} }

// OfModules reports whether the releases are API servers of Go modules. The adapter names their
// component.
func (r Releases) OfModules() bool { return r.Adapter != "" || strings.HasPrefix(r.Pair, ofModule) }

// ModulePair matches module:MODULE@old..new; the new one may repeat the module.
var ModulePair = regexp.MustCompile(`^module:([^@]+)@(.+?)\.\.(?:module:([^@]+)@)?([^@]+)$`)
