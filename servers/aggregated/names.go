package aggregated

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// names reads what flags that skewsim gives are called.
func (r *reader) names(at string, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.add(n.Line, at, "%s, want a map of skewsim's flags with the server's, such as {etcd-servers: storage-servers}", yamlnodes.What(n))
		return
	}
	given := map[string]bool{}
	for _, name := range givenFlags() {
		given[name] = true
	}
	for key, value := range yamlnodes.Keys(n, func(line int, text string) { r.add(line, at, "%s", text) }) {
		place := at + "." + key.Value
		own, ok := r.text(place, value)
		switch {
		case !given[key.Value]:
			r.add(key.Line, at, "%s is no flag that skewsim gives%s", yamlnodes.Quote(key.Value), hint(key.Value, given))
		case !ok:
		case own == "" && apiserver.Essential(key.Value):
			r.add(value.Line, place, "empty: no server is started without it, which keeps it on the run's store, on loopback and in its identity")
		case own != "" && !ownFlag.MatchString(own):
			r.add(value.Line, place, "%s: want a flag's name without dashes before it", yamlnodes.Quote(own))
		case own != key.Value && apiserver.Essential(key.Value) && ofLibrary(own):
			r.add(value.Line, place, "%s is another flag of k8s.io/apiserver, which means something else: name the server's own flag, or leave this out", yamlnodes.Quote(own))
		default:
			r.rename(key.Value, own)
		}
	}
	r.apart(n.Line, at)
}

// apart refuses names by which two flags are one: the server heeds the last alone.
func (r *reader) apart(line int, at string) {
	first := map[string]string{}
	for _, name := range givenFlags() {
		own, renamed := r.adapter.Names[name]
		if !renamed {
			own = name
		}
		switch one, taken := first[strings.ReplaceAll(own, "_", "-")]; {
		case own == "":
		case taken:
			r.add(line, at, "--%s and --%s are both called %s: name a flag for each, or \"\" for one that the server has not", one, name, yamlnodes.Quote(own))
		default:
			first[strings.ReplaceAll(own, "_", "-")] = name
		}
	}
}

func (r *reader) rename(name, own string) {
	if r.adapter.Names == nil {
		r.adapter.Names = map[string]string{}
	}
	r.adapter.Names[name] = own
}

// givenFlags are the names of the flags that skewsim gives every such server.
func givenFlags() (names []string) {
	at := servers.Placement{Store: servers.Store{Prefix: "/"}, Flags: (&link{}).serverFlags()}
	for _, flag := range Component().Needs(servers.Build{}, &apiserver.Identity{}, at, 0) {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		names = append(names, name)
	}
	return names
}

// hint is what to add to an unknown word: the nearest known one, or all of them.
func hint[V any](word string, known map[string]V) string {
	const longest = 64
	all := slices.Sorted(maps.Keys(known))
	best, least := "", 3
	for _, k := range all {
		if len(word) > longest {
			break
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf(": did you mean %q?", best)
	}
	return fmt.Sprintf(" (known: %s)", strings.Join(all, ", "))
}
