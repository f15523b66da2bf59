package snapshot

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
)

const (
	registry = "/registry"      // the default of kube-apiserver
	origin   = "/kubernetes.io" // OpenShift has two
	route    = "/openshift.io"
	// bootstrap is where k3s and RKE2 keep the credentials of the cluster.
	bootstrap = "/bootstrap"
)

// Select selects the prefixes whose values Values returns: the one that the user names, as with
// --etcd-prefix of kube-apiserver, or for "" the ones that are found.
func (s *Snapshot) Select(asked string) error {
	prefixes, err := s.choose(asked)
	if err != nil {
		return fmt.Errorf("snapshot %s: %w", s.Path, err)
	}
	s.prefixes = prefixes
	return nil
}

// Prefixes returns the selected prefixes, in order and without a / at the end. It is empty
// before Select.
func (s *Snapshot) Prefixes() []string { return slices.Clone(s.prefixes) }

func (s *Snapshot) choose(asked string) ([]string, error) {
	if asked != "" {
		return s.named(asked)
	}
	var found []string
	for _, prefix := range []string{origin, route} {
		if s.has(prefix) {
			found = append(found, prefix)
		}
	}
	if !s.has(registry) {
		if len(found) == 0 {
			return nil, s.foundNone("it has no keys of Kubernetes: none begins with %s/, %s/ or %s/", registry, origin, route)
		}
		return found, nil
	}
	if len(found) > 0 {
		return nil, fault.ByUser(fault.Optionf("it has keys of two clusters: some begin with %s/, and others with %s/: choose one with {prefix}", registry, found[0]))
	}
	return []string{registry}, nil
}

// named returns the prefix that the user names.
func (s *Snapshot) named(asked string) ([]string, error) {
	prefix := "/" + strings.Trim(asked, "/")
	switch {
	case prefix == "/":
		return nil, fault.ByUser(fault.Optionf("{prefix} %q: names no prefix: give the value of --etcd-prefix of kube-apiserver, such as %s", asked, registry))
	case prefix == bootstrap || strings.HasPrefix(prefix, bootstrap+"/"):
		return nil, fault.ByUser(fault.Optionf("{prefix} %q: k3s keeps the credentials of the cluster there, which are never read: give the value of --etcd-prefix of kube-apiserver, such as %s", asked, registry))
	case !s.has(prefix):
		return nil, s.foundNone("{prefix} %q: no key begins with %s/", asked, prefix)
	}
	return []string{prefix}, nil
}

// foundNone returns an error that lists the prefixes that exist.
func (s *Snapshot) foundNone(format string, args ...any) error {
	return fault.ByUser(fault.Optionf(format+"; its keys begin with %s: choose one with {prefix}, or take the snapshot from the etcd that kube-apiserver uses",
		append(args, listed(s.topLevel()))...))
}

// has reports whether a key exists under a prefix.
func (s *Snapshot) has(prefix string) bool { return len(s.under(prefix+"/")) > 0 }

// under returns the entries whose keys begin with the text.
func (s *Snapshot) under(start string) []entry {
	from := sort.Search(len(s.index), func(i int) bool { return s.index[i].key >= start })
	rest := s.index[from:]
	return rest[:sort.Search(len(rest), func(i int) bool { return !strings.HasPrefix(rest[i].key, start) })]
}

// topLevel returns the first segments of all keys.
func (s *Snapshot) topLevel() (names []string) {
	for _, e := range s.index {
		lead := ""
		if strings.HasPrefix(e.key, "/") {
			lead = "/"
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(e.key, "/"), "/")
		if name = clip(lead + name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// listed lists at most ten names.
func listed(names []string) string {
	const most = 10
	slices.Sort(names)
	var quoted []string
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// clip shortens a name.
func clip(name string) string {
	const most = 40
	if len(name) <= most {
		return name
	}
	return name[:most] + "..."
}
