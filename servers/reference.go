package servers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Scheme says where a build comes from.
type Scheme string

// The schemes that are supported.
const (
	SchemeRelease Scheme = "release" // COMPONENT@VERSION: built from the release's Go module
	SchemePath    Scheme = "path"    // path:FILE: an executable that is there already
	SchemeTrain   Scheme = "train"   // frobber@X.Y[+TWIN]: the reference server, which is one executable for all releases
	// SchemeManifests are crd:FOLDER and crd:MODULE@VERSION//FOLDER: definitions of
	// custom resources, which are installed on a kube-apiserver.
	SchemeManifests Scheme = "manifests"
)

// The components that references name.
const (
	kubernetes = "kube-apiserver"
	frobber    = "frobber"
	manifests  = "crd"
)

// supported is the way out that errors name.
const supported = "supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+TWIN], path:FILE, crd:FOLDER, crd:MODULE@VERSION//FOLDER"

// Reference names a build, as a user writes it.
type Reference struct {
	Scheme Scheme
	// Component and Version are those of a release: kube-apiserver, v1.36.3, or v1.36,
	// which is the newest patch of it that is built, else that can be had;
	// frobber, 1.1 or 1.1+required. Both are empty for a path: the executable
	// itself tells them.
	Component string
	Version   string
	// Path is the file of SchemePath, or the folder of SchemeManifests, as given.
	Path string
	// Module is the Go module whose Version holds the folder; "": none does.
	Module string
	// Manifests is what else belongs to a release of SchemeManifests. References
	// are not written with it.
	Manifests Manifests
	// Preferred: another patch of the release's minor serves where the release cannot
	// be had. Nor are references written with that.
	Preferred bool
}

// Manifests says where a release's manifests are looked for, and what they are
// installed on.
type Manifests struct {
	// Within is the directory that a folder is looked for in; "": the current one.
	Within string
	// Server is the reference of the kube-apiserver; "": the newest that is built.
	Server string
	// Served and ServedWithin name the manifests that servers have instead, where
	// these were forgotten: only clients know them. "": they were not.
	Served, ServedWithin string
}

// String gives the reference as it is written.
func (r Reference) String() string {
	switch {
	case r.Scheme == SchemePath:
		return "path:" + r.Path
	case r.Scheme == SchemeManifests && r.Module != "":
		return manifests + ":" + r.Module + "@" + r.Version + "//" + r.Path
	case r.Scheme == SchemeManifests:
		return manifests + ":" + r.Path
	}
	return r.Component + "@" + r.Version
}

// ParseReference understands kube-apiserver@v1.36.3, frobber@1.1+required and
// path:FILE. Whether there is such a release or file it does not look.
func ParseReference(text string) (Reference, error) {
	if path, ok := strings.CutPrefix(text, "path:"); ok {
		if path == "" {
			return Reference{}, fmt.Errorf("reference %q: no file named; want path:FILE", text)
		}
		return Reference{Scheme: SchemePath, Path: path}, nil
	}
	if folder, ok := strings.CutPrefix(text, manifests+":"); ok {
		return parseManifests(text, folder)
	}
	if scheme := notYet(text); scheme != "" {
		return Reference{}, fmt.Errorf("reference %q: %s is not supported yet (%s)", text, scheme, supported)
	}
	component, release, ok := strings.Cut(text, "@")
	switch {
	case ok && component == frobber:
		return parseTrain(text, release)
	case !ok || component != kubernetes:
		return Reference{}, fmt.Errorf("reference %q: not understood (%s)", text, supported)
	}
	if _, err := version.NewVersion(release); err != nil {
		return Reference{}, fmt.Errorf("reference %q: version %q: want vX.Y.Z, such as v1.36.3", text, release)
	}
	return Reference{Scheme: SchemeRelease, Component: component, Version: release}, nil
}

// parseTrain understands a release of the reference server. Its releases have
// two numbers; v1.1.0, as a server calls itself, is 1.1.
func parseTrain(text, release string) (Reference, error) {
	match := regexp.MustCompile(`^v?([0-9]+\.[0-9]+)(?:\.0)?(\+[a-z0-9-]+)?$`).FindStringSubmatch(release)
	if match == nil {
		return Reference{}, fmt.Errorf("reference %q: release %q: want X.Y, such as 1.1, or X.Y+TWIN, such as 1.1+required", text, release)
	}
	return Reference{Scheme: SchemeTrain, Component: frobber, Version: match[1] + match[2]}, nil
}

// parseManifests understands a folder, or one of a Go module.
func parseManifests(text, folder string) (Reference, error) {
	ref := Reference{Scheme: SchemeManifests, Component: manifests, Path: folder}
	if at, inside, ok := strings.Cut(folder, "//"); ok {
		ref.Path = inside
		if ref.Module, ref.Version, ok = strings.Cut(at, "@"); !ok || ref.Module == "" {
			return Reference{}, fmt.Errorf("reference %q: want crd:MODULE@VERSION//FOLDER, such as crd:sigs.k8s.io/gateway-api@v1.1.0//config/crd/standard", text)
		}
		if err := module.CheckPath(ref.Module); err != nil {
			return Reference{}, fmt.Errorf("reference %q: %q is no Go module, such as sigs.k8s.io/gateway-api", text, ref.Module)
		}
		if !semver.IsValid(ref.Version) {
			return Reference{}, fmt.Errorf("reference %q: version %q: want one of the module's, such as v1.1.0", text, ref.Version)
		}
	}
	if ref.Path == "" {
		return Reference{}, fmt.Errorf("reference %q: no folder named; want crd:FOLDER or crd:MODULE@VERSION//FOLDER", text)
	}
	return ref, nil
}

// Twin gives the reference to a twin of this one: the same release, made with a
// mistake. Only releases of the reference server have twins, and a twin has none; that
// of a folder of manifests is the folder of that name with +TWIN behind it.
func (r Reference) Twin(name string) (Reference, error) {
	switch {
	case r.Scheme == SchemeManifests && r.Module == "":
		r.Path += "+" + name
		return r, nil
	case r.Scheme != SchemeTrain:
		return Reference{}, fmt.Errorf("%s: has no twin %q: only releases of %s have twins, and folders of manifests", r, name, frobber)
	}
	if strings.Contains(r.Version, "+") {
		return Reference{}, fmt.Errorf("%s: is a twin already, so it has no twin %q: name the right release", r, name)
	}
	r.Version += "+" + name
	return r, nil
}

// notYet gives the scheme of a reference that is planned; "" for any other.
func notYet(text string) string {
	for _, scheme := range []string{"source:", "image:", "module:"} {
		if strings.HasPrefix(text, scheme) {
			return scheme
		}
	}
	return ""
}

// ParsePair understands OLD..NEW, two references. NEW may leave out the
// component it shares with OLD: kube-apiserver@v1.36.3..v1.37.0,
// frobber@1.0..1.1+required.
func ParsePair(text string) (old, new Reference, err error) {
	first, second, err := split(text)
	if err != nil {
		return Reference{}, Reference{}, err
	}
	if old, err = ParseReference(first); err != nil {
		return Reference{}, Reference{}, fmt.Errorf("pair %q: %w", text, err)
	}
	switch {
	case old.Module != "" && bare(second):
		second = Reference{Scheme: SchemeManifests, Module: old.Module, Version: second, Path: old.Path}.String()
	case old.Component != "" && bare(second):
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
		return "", "", fmt.Errorf("pair %q: want OLD..NEW, such as kube-apiserver@v1.36.3..v1.37.0, frobber@1.0..1.1 or path:a..path:b", text)
	}
	return text[:cuts[0]], text[cuts[0]+2:], nil
}

// begins tells whether text begins as a reference, or as a version alone.
func begins(text string) bool {
	return bare(text) || regexp.MustCompile(`^([a-z][a-z0-9-]*@|[a-z]+:)`).MatchString(text)
}

func bare(text string) bool { return regexp.MustCompile(`^v?[0-9]`).MatchString(text) }
