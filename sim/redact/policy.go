package redact

import (
	"slices"
	"strings"
)

// BuiltIn is the kind whose values are confidential in every policy.
const BuiltIn = "Secret"

// lastApplied is where kubectl apply keeps a whole copy of what it sent, so it
// holds an object's confidential values once more.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Policy says which values are confidential, by kind and path. The zero Policy
// knows Secrets alone.
type Policy struct {
	marks map[string][][]string // by kind: the names that each path is made of
}

// For returns the policy of a plan: the values of Secrets, and those at or below the given
// paths, by kind. A mark applies to every element of a list that it names, because a patch may
// identify elements differently.
func For(paths map[string][]string) Policy {
	p := Policy{marks: map[string][][]string{}}
	for kind, all := range paths {
		for _, path := range all {
			if names := names(path); len(names) > 0 {
				p.marks[kind] = append(p.marks[kind], names)
			}
		}
	}
	return p
}

// Covers reports whether objects of the kind can contain confidential values: then their stored
// bytes, and messages of servers about them, are not shown at all.
func (p Policy) Covers(kind string) bool { return kind == BuiltIn || len(p.marks[kind]) > 0 }

// confidential reports whether the path leads to a confidential value, or to a map or list of
// them.
func (p Policy) confidential(kind string, path []string) bool {
	if len(path) == 0 || !p.Covers(kind) {
		return false
	}
	if encoded(kind, path) || kind == BuiltIn && path[0] == "stringData" {
		return true
	}
	// A path without quotes splits the annotation's own name at its dots.
	if len(path) > 2 && path[0] == "metadata" && path[1] == "annotations" && strings.Join(path[2:], ".") == lastApplied {
		return true
	}
	return slices.ContainsFunc(p.marks[kind], func(mark []string) bool { return matched(mark, path) == len(mark) })
}

// encoded reports whether the values at or below the path are base64.
func encoded(kind string, path []string) bool { return kind == BuiltIn && path[0] == "data" }

// holds reports whether values below the path can be confidential.
func (p Policy) holds(kind string, path []string) bool {
	if !p.Covers(kind) {
		return false
	}
	if len(path) == 0 || path[0] == "metadata" && len(path) <= 2 {
		return true
	}
	return slices.ContainsFunc(p.marks[kind], func(mark []string) bool { return matched(mark, path) >= 0 })
}

// matched is how many names of the mark the path follows, -1 where it leads
// elsewhere. What may be an element's place in a list is passed over.
func matched(mark, path []string) int {
	done := 0
	for _, name := range path {
		switch {
		case done == len(mark):
			return done
		case name == mark[done]:
			done++
		case !isIndex(name):
			return -1
		}
	}
	return done
}

// isIndex reports whether the name may be a list index, as in JSON patches.
func isIndex(name string) bool {
	return name == "-" || name != "" && strings.Trim(name, "0123456789") == ""
}
