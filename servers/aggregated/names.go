package aggregated

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/program"
)

// names reads what flags that skewsim gives are called.
func (r *reader) names(at string, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.Add(n.Line, at, "%s, want a map of skewsim's flags with the server's, such as {etcd-servers: storage-servers}", strict.What(n))
		return
	}
	given := map[string]bool{}
	for _, name := range givenFlags() {
		given[name] = true
	}
	for key, value := range strict.Keys(n, func(line int, text string) { r.Add(line, at, "%s", text) }) {
		place := at + "." + key.Value
		own, ok := r.Text(place, value)
		switch {
		case !given[key.Value]:
			r.Add(key.Line, at, "%s is no flag that skewsim gives%s", strict.Quote(key.Value), program.Hint(key.Value, given))
		case !ok:
		case own == "" && apiserver.Essential(key.Value):
			r.Add(value.Line, place, "empty: no server is started without it, which keeps it on the run's store, on loopback and in its identity")
		case own != "" && !ownFlag.MatchString(own):
			r.Add(value.Line, place, "%s: want a flag's name without dashes before it", strict.Quote(own))
		case own != key.Value && apiserver.Essential(key.Value) && ofLibrary(own):
			r.Add(value.Line, place, "%s is another flag of k8s.io/apiserver, which means something else: name the server's own flag, or leave this out", strict.Quote(own))
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
			r.Add(line, at, "--%s and --%s are both called %s: name a flag for each, or \"\" for one that the server has not", one, name, strict.Quote(own))
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
