package servers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
)

// Scheme says where a build comes from.
type Scheme string

// The schemes that are supported.
const (
	SchemeRelease Scheme = "release" // COMPONENT@VERSION: built from the release's Go module
	SchemePath    Scheme = "path"    // path:FILE: an executable that is there already
)

// supported is the way out that errors name.
const supported = "supported: kube-apiserver@vX.Y.Z, path:FILE"

// Reference names a build, as a user writes it.
type Reference struct {
	Scheme Scheme
	// Component and Version are those of a release: kube-apiserver, v1.36.3.
	// Both are empty for a path: the executable itself tells them.
	Component string
	Version   string
	// Path is the file of SchemePath, as given.
	Path string
}

// String gives the reference as it is written.
func (r Reference) String() string {
	if r.Scheme == SchemePath {
		return "path:" + r.Path
	}
	return r.Component + "@" + r.Version
}

// ParseReference understands kube-apiserver@v1.36.3 and path:FILE. Whether
// there is such a release or file it does not look.
func ParseReference(text string) (Reference, error) {
	if path, ok := strings.CutPrefix(text, "path:"); ok {
		if path == "" {
			return Reference{}, fmt.Errorf("reference %q: no file named; want path:FILE", text)
		}
		return Reference{Scheme: SchemePath, Path: path}, nil
	}
	if scheme := notYet(text); scheme != "" {
		return Reference{}, fmt.Errorf("reference %q: %s is not supported yet (%s)", text, scheme, supported)
	}
	component, release, ok := strings.Cut(text, "@")
	if !ok || component != "kube-apiserver" {
		return Reference{}, fmt.Errorf("reference %q: not understood (%s)", text, supported)
	}
	if _, err := version.NewVersion(release); err != nil {
		return Reference{}, fmt.Errorf("reference %q: version %q: want vX.Y.Z, such as v1.36.3", text, release)
	}
	return Reference{Scheme: SchemeRelease, Component: component, Version: release}, nil
}

// notYet gives the scheme of a reference that is planned; "" for any other.
func notYet(text string) string {
	for _, scheme := range []string{"frobber@", "source:", "image:", "module:"} {
		if strings.HasPrefix(text, scheme) {
			return scheme
		}
	}
	return ""
}

// ParsePair understands OLD..NEW, two references. NEW may leave out the
// component it shares with OLD: kube-apiserver@v1.36.3..v1.37.0.
func ParsePair(text string) (old, new Reference, err error) {
	first, second, err := split(text)
	if err != nil {
		return Reference{}, Reference{}, err
	}
	if old, err = ParseReference(first); err != nil {
		return Reference{}, Reference{}, fmt.Errorf("pair %q: %w", text, err)
	}
	if old.Scheme == SchemeRelease && bare(second) {
		second = old.Component + "@" + second
	}
	if new, err = ParseReference(second); err != nil {
		return Reference{}, Reference{}, fmt.Errorf("pair %q: %w", text, err)
	}
	return old, new, nil
}

// split cuts a pair in two. Paths may hold two dots as well ("path:../a"), so
// the cut is where a second reference begins.
func split(text string) (first, second string, err error) {
	var cuts []int
	for i := range text {
		if rest, ok := strings.CutPrefix(text[i:], ".."); ok && i > 0 && begins(rest) {
			cuts = append(cuts, i)
		}
	}
	if len(cuts) != 1 {
		return "", "", fmt.Errorf("pair %q: want OLD..NEW, such as kube-apiserver@v1.36.3..v1.37.0 or path:a..path:b", text)
	}
	return text[:cuts[0]], text[cuts[0]+2:], nil
}

// begins tells whether text begins as a reference, or as a version alone.
func begins(text string) bool {
	return bare(text) || regexp.MustCompile(`^([a-z][a-z0-9-]*@|[a-z]+:)`).MatchString(text)
}

func bare(text string) bool { return regexp.MustCompile(`^v?[0-9]`).MatchString(text) }
