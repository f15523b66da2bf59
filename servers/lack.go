package servers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Lack is what a server lacked to be ready when it counted as ready.
type Lack struct {
	// Checks are the checks of /readyz that fail: for ever, unless the server settles.
	Checks []string
	// Collections are the paths of what the server could not list. Unless it settles, they are those of them
	// that its informers ask for, if that is known.
	Collections []string
	// Settles reports that the server becomes ready all the same: it waits only for caches of these
	// collections, and gives that up after a minute.
	Settles bool
}

// LackOf returns what a process lacked of some collections.
func LackOf(p Process, collections []string) Lack {
	if d, is := p.(Degraded); is {
		return d.Lacks(collections)
	}
	return Lack{}
}

// Any reports whether the server lacked anything.
func (l Lack) Any() bool { return len(l.Collections) > 0 }

// Of returns what is lacked of some collections.
func (l Lack) Of(collections []string) Lack {
	l.Collections = slices.DeleteFunc(slices.Clone(l.Collections), func(path string) bool { return !slices.Contains(collections, path) })
	if !l.Any() {
		return Lack{}
	}
	return l
}

// String says what is lacked; "" for nothing.
func (l Lack) String() string {
	if !l.Any() {
		return ""
	}
	return fmt.Sprintf("%s of /readyz: a LIST of %s is answered %d", strings.Join(l.Checks, ", "), strings.Join(l.Collections, ", "), http.StatusInternalServerError)
}
