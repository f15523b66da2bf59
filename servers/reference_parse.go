package servers

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/distribution/reference"
	goversion "github.com/hashicorp/go-version"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// ParseReference parses a reference of any Scheme. It does not check that the release, file,
// image or module exists.
func ParseReference(text string) (Reference, error) {
	for _, s := range schemes() {
		if rest, ok := strings.CutPrefix(text, s.word); ok {
			return s.parse(text, rest)
		}
	}
	return Reference{}, fmt.Errorf("reference %q: not understood (%s)", text, supported())
}

// parseRelease parses a release of Kubernetes.
func parseRelease(text, release string) (Reference, error) {
	if _, err := goversion.NewVersion(release); err != nil {
		return Reference{}, fmt.Errorf("reference %q: version %q: want vX.Y.Z, such as v1.36.3", text, release)
	}
	return Reference{Scheme: SchemeRelease, Component: kubernetes, Version: release}, nil
}

// parseTrain parses a release of the reference server. Releases have two numbers; v1.1.0, as a
// server reports it, is 1.1.
func parseTrain(text, release string) (Reference, error) {
	match := regexp.MustCompile(`^v?([0-9]+\.[0-9]+)(?:\.0)?(\+[a-z0-9-]+)?$`).FindStringSubmatch(release)
	if match == nil {
		return Reference{}, fmt.Errorf("reference %q: release %q: want X.Y, such as 1.1, or X.Y+MUTANT, such as 1.1+required", text, release)
	}
	return Reference{Scheme: SchemeTrain, Component: frobber, Version: match[1] + match[2]}, nil
}

// parseFile parses the path of an executable.
func parseFile(text, file string) (Reference, error) {
	return parsePath(text, SchemePath, file, "no file named; want path:FILE")
}

// parseCheckout parses the path of a checkout.
func parseCheckout(text, folder string) (Reference, error) {
	return parsePath(text, SchemeSource, folder, "no folder named; want source:FOLDER, a checkout of Kubernetes")
}

// parsePath parses a scheme that is followed by a file path.
func parsePath(text string, scheme Scheme, place, missing string) (Reference, error) {
	if place == "" {
		return Reference{}, fmt.Errorf("reference %q: %s", text, missing)
	}
	return Reference{Scheme: scheme, Path: place}, nil
}

// parseImage parses an image name as Docker does: registry, tag and digest are optional.
func parseImage(text, name string) (Reference, error) {
	if name == "" {
		return Reference{}, fmt.Errorf("reference %q: no image named; want image:NAME, such as image:registry.k8s.io/kube-apiserver:v1.36.3", text)
	}
	if _, err := reference.ParseDockerRef(name); err != nil {
		return Reference{}, fmt.Errorf("reference %q: image %q: %w; want a name such as registry.k8s.io/kube-apiserver:v1.36.3", text, name, err)
	}
	return Reference{Scheme: SchemeImage, Path: name}, nil
}

// parseModule parses a Go module that contains an API server.
func parseModule(text, at string) (Reference, error) {
	ref := Reference{Scheme: SchemeModule}
	if err := ref.inModule(text, at, "module:MODULE@VERSION, such as module:k8s.io/sample-apiserver@v0.36.3"); err != nil {
		return Reference{}, err
	}
	return ref, nil
}

// inModule sets the module and version from MODULE@VERSION.
func (r *Reference) inModule(text, at, want string) error {
	of, version, ok := strings.Cut(at, "@")
	if !ok || of == "" {
		return fmt.Errorf("reference %q: want %s", text, want)
	}
	if err := module.CheckPath(of); err != nil {
		return fmt.Errorf("reference %q: %q is no Go module, such as sigs.k8s.io/gateway-api", text, of)
	}
	if !semver.IsValid(version) {
		return fmt.Errorf("reference %q: version %q: want one of the module's, such as v1.1.0", text, version)
	}
	r.Module, r.Version = of, version
	return nil
}

// parseManifests parses a folder, or a folder of a Go module.
func parseManifests(text, folder string) (Reference, error) {
	ref := Reference{Scheme: SchemeManifests, Component: manifests, Path: folder}
	if at, inside, ok := strings.Cut(folder, "//"); ok {
		ref.Path = inside
		if err := ref.inModule(text, at, "crd:MODULE@VERSION//FOLDER, such as crd:sigs.k8s.io/gateway-api@v1.1.0//config/crd/standard"); err != nil {
			return Reference{}, err
		}
	}
	if ref.Path == "" {
		return Reference{}, fmt.Errorf("reference %q: no folder named; want crd:FOLDER or crd:MODULE@VERSION//FOLDER", text)
	}
	return ref, nil
}

// ParsePair parses OLD..NEW, two references. NEW may leave out the component that it shares
// with OLD: kube-apiserver@v1.36.3..v1.37.0, frobber@1.0..1.1+required.
func ParsePair(text string) (old, new Reference, err error) {
	first, second, err := split(text)
	if err != nil {
		return Reference{}, Reference{}, err
	}
	if old, err = ParseReference(first); err != nil {
		return Reference{}, Reference{}, fmt.Errorf("pair %q: %w", text, err)
	}
	if new, err = ParseReference(old.beside(second)); err != nil {
		return Reference{}, Reference{}, fmt.Errorf("pair %q: %w", text, err)
	}
	TellApart(&old, &new)
	return old, new, nil
}

// TellApart names the folders of manifests among the releases of a run: those of old/crd and new/crd would both be
// called crd.
func TellApart(refs ...*Reference) {
	folders := slices.DeleteFunc(slices.Clone(refs), func(r *Reference) bool { return r.Scheme != SchemeManifests || r.Module != "" })
	for _, r := range folders {
		at := path.Clean(r.Path)
		for n := 1; ; n++ {
			name, all := tail(at, n)
			if n > 1 {
				r.Manifests.Name = name
			}
			isAlike := func(o *Reference) bool {
				other := path.Clean(o.Path)
				alike, _ := tail(other, n)
				return other != at && alike == name
			}
			if all || !slices.ContainsFunc(folders, isAlike) {
				break
			}
		}
	}
}

// tail returns the last n elements of a path, and whether they are all of it.
func tail(at string, n int) (string, bool) {
	parts := strings.Split(at, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/"), n >= len(parts)
}

// beside completes text with the component or the module of r if text is only a version.
func (r Reference) beside(text string) string {
	switch {
	case !bare(text):
		return text
	case r.Module != "":
		return Reference{Scheme: r.Scheme, Module: r.Module, Version: text, Path: r.Path}.String()
	case r.Component != "":
		return r.Component + "@" + text
	}
	return text
}

// split cuts a pair in two. Paths may contain two dots as well ("path:../a"), so it cuts where
// a second reference begins.
func split(text string) (first, second string, err error) {
	var cuts []int
	for i := range text {
		if rest, ok := strings.CutPrefix(text[i:], ".."); ok && i > 0 && begins(rest) {
			cuts = append(cuts, i)
		}
	}
	if first, second, word := forgotten(text); word != "" {
		return "", "", fmt.Errorf("pair %q: %q has no %s before it: write %s..%s%s", text, second, word, first, word, second)
	}
	if len(cuts) != 1 {
		return "", "", fmt.Errorf("pair %q: want OLD..NEW, such as kube-apiserver@v1.36.3..v1.37.0, frobber@1.0..1.1 or path:a..path:b", text)
	}
	return text[:cuts[0]], text[cuts[0]+2:], nil
}

// forgotten cuts a pair of folders, of which the second has no word before it: crd:a..b. The word is
// "" for any other pair.
func forgotten(text string) (first, second, word string) {
	first, second, found := strings.Cut(text, "..")
	word = manifests + ":"
	if !found || !strings.HasPrefix(first, word) || len(first) == len(word) || strings.Contains(first, "@") || scheme.MatchString(second) || strings.Contains(second, "..") {
		return "", "", ""
	}
	return first, second, word
}

// begins reports whether text begins with a reference or is only a version.
func begins(text string) bool {
	return bare(text) || scheme.MatchString(text)
}

// scheme is how a reference begins that is no version alone.
var scheme = regexp.MustCompile(`^([a-z][a-z0-9-]*@|[a-z]+:)`)

func bare(text string) bool { return regexp.MustCompile(`^v?[0-9]`).MatchString(text) }
