package servers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxReleases bounds a chain: each hop is a separate run.
const maxReleases = 200

// ParseThrough parses the releases of a chain, oldest first: either a list, in which later
// references may leave out the component (frobber@1.0,1.1,1.3+forgets) or the module
// (module:k8s.io/sample-apiserver@v0.35.4,v0.37.0) of the first, or a span of the reference
// server's releases (frobber@1.0..1.30), which means every release between the two. It does not
// check that the releases exist.
func ParseThrough(text string) ([]Reference, error) {
	all, err := ParseReleases(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("releases %q: %w", text, err)
	case len(all) < 2:
		return nil, fmt.Errorf("releases %q: a chain needs two releases at least, such as frobber@1.0..1.30 or kube-apiserver@v1.36.3,v1.37.0", text)
	}
	return all, nil
}

// ParseReleases parses a list or a span as ParseThrough does, but accepts a single release and
// any order.
func ParseReleases(text string) ([]Reference, error) {
	all, err := parseThrough(text)
	if len(all) > maxReleases {
		return nil, fmt.Errorf("%d releases: at most %d are supported", len(all), maxReleases)
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
	each := make([]*Reference, len(all))
	for i := range all {
		each[i] = &all[i]
	}
	TellApart(each...)
	return all, nil
}

// between returns the releases of the reference server from old to new. Releases of other
// components cannot be derived from their names.
func between(old, new Reference) ([]Reference, error) {
	if old.Scheme != SchemeTrain || new.Scheme != SchemeTrain {
		return nil, errors.New("only the releases of " + frobber + " have consecutive numbers: list the releases of other components, oldest first, separated by commas")
	}
	major, first, ok := numbers(old)
	other, last, also := numbers(new)
	if !ok || !also || major != other || first >= last {
		return nil, errors.New("want a span such as frobber@1.0..1.30, older release first and without mutants: list mutants separated by commas")
	}
	if last-first >= maxReleases {
		return nil, fmt.Errorf("more than %d releases", maxReleases)
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
