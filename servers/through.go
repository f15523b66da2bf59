package servers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mostReleases bounds a chain: each hop is a run of its own.
const mostReleases = 200

// ParseThrough understands the releases of a chain, oldest first: a list, whose
// later references may leave out the component (frobber@1.0,1.1,1.3+forgets) or the
// module (module:k8s.io/sample-apiserver@v0.35.4,v0.37.0) of the first, or a span of the reference server's releases (frobber@1.0..1.30), which means
// every release between the two. Whether there are such releases it does not look.
func ParseThrough(text string) ([]Reference, error) {
	all, err := ParseReleases(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("releases %q: %w", text, err)
	case len(all) < 2:
		return nil, fmt.Errorf("releases %q: a chain is of two releases at least, such as frobber@1.0..1.30 or kube-apiserver@v1.36.3,v1.37.0", text)
	}
	return all, nil
}

// ParseReleases understands a list or a span as ParseThrough does, of one release or more
// and in any order.
func ParseReleases(text string) ([]Reference, error) {
	all, err := parseThrough(text)
	if len(all) > mostReleases {
		return nil, fmt.Errorf("%d of them: at most %d", len(all), mostReleases)
	}
	return all, err
}

func parseThrough(text string) ([]Reference, error) {
	if !strings.Contains(text, ",") && strings.Contains(text, "..") {
		old, new, err := ParsePair(text)
		if err != nil {
			return nil, err
		}
		return between(old, new)
	}
	var all []Reference
	for _, one := range strings.Split(text, ",") {
		if one = strings.TrimSpace(one); len(all) > 0 {
			one = all[0].beside(one)
		}
		ref, err := ParseReference(one)
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// between are the releases of the train from the one to the other. Which releases
// any other component has between two, its name does not tell.
func between(old, new Reference) ([]Reference, error) {
	if old.Scheme != SchemeTrain || new.Scheme != SchemeTrain {
		return nil, errors.New("only the releases of " + frobber + " are known by their numbers: list those of others, oldest first, with commas")
	}
	major, first, ok := numbers(old)
	other, last, also := numbers(new)
	if !ok || !also || major != other || first >= last {
		return nil, errors.New("want a span such as frobber@1.0..1.30, older release first and without twins: list those with commas")
	}
	if last-first >= mostReleases {
		return nil, fmt.Errorf("more than %d releases", mostReleases)
	}
	var all []Reference
	for minor := first; minor <= last; minor++ {
		all = append(all, Reference{Scheme: SchemeTrain, Component: frobber, Version: fmt.Sprintf("%s.%d", major, minor)})
	}
	return all, nil
}

func numbers(r Reference) (major string, minor int, ok bool) {
	major, text, _ := strings.Cut(r.Version, ".")
	minor, err := strconv.Atoi(text)
	return major, minor, err == nil
}
