package servers

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme is the kind of source that a build comes from.
type Scheme string

// The schemes that are supported. Each has a row in schemes, and one in package builder.
const (
	SchemeRelease Scheme = "release" // COMPONENT@VERSION: built from the release's Go module
	SchemePath    Scheme = "path"    // path:FILE: an existing executable
	SchemeTrain   Scheme = "train"   // frobber@X.Y[+MUTANT]: the reference server, one executable for all releases
	// SchemeManifests are crd:FOLDER and crd:MODULE@VERSION//FOLDER: CustomResourceDefinitions,
	// which are installed on a kube-apiserver.
	SchemeManifests Scheme = "manifests"
	SchemeImage     Scheme = "image"  // image:NAME: a container image, run by a Docker engine
	SchemeSource    Scheme = "source" // source:FOLDER: built from a checkout of Kubernetes
	SchemeModule    Scheme = "module" // module:MODULE@VERSION: the API server of a Go module, described by an adapter
)

// properties is everything that package servers knows about a scheme.
type properties struct {
	scheme Scheme
	// word is how a reference of the scheme begins, with the ":" or "@" that ends the word.
	word string
	// forms are the valid forms, for error messages.
	forms []string
	// parse parses what follows the word. Text is the whole reference, for errors.
	parse func(text, rest string) (Reference, error)
	// text returns the reference without the word.
	text func(Reference) string
	// executes reports whether a reference names a program that is neither a Kubernetes release
	// nor the reference server: scenario files may name such programs only if the user allows it.
	executes func(Reference) bool
	// underlies reports whether a build may be the kube-apiserver that manifests are installed on,
	// or that an aggregated server is behind.
	underlies bool
	// substitutable reports whether another patch of the same minor may serve instead.
	substitutable bool
	// mutant returns the version or the folder of a mutant. It is nil if there are no mutants.
	mutant func(ref Reference, name string) (Reference, error)
}

// schemes has one row per scheme, in the order of error messages.
func schemes() []properties {
	always := func(Reference) bool { return true }
	never := func(Reference) bool { return false }
	return []properties{
		{
			scheme: SchemeRelease, word: kubernetes + "@", forms: []string{"kube-apiserver@vX.Y.Z"},
			parse: parseRelease, text: versionOf, executes: atCommit, underlies: true, substitutable: true,
		},
		{
			scheme: SchemeTrain, word: frobber + "@", forms: []string{"frobber@X.Y[+MUTANT]"},
			parse: parseTrain, text: versionOf, executes: never, mutant: mutantRelease,
		},
		{
			scheme: SchemePath, word: "path:", forms: []string{"path:FILE"},
			parse: parseFile, text: pathOf, executes: always, underlies: true,
		},
		{
			scheme: SchemeSource, word: "source:", forms: []string{"source:FOLDER"},
			parse: parseCheckout, text: pathOf, executes: always,
		},
		{
			scheme: SchemeImage, word: "image:", forms: []string{"image:NAME"},
			parse: parseImage, text: pathOf, executes: always,
		},
		{
			scheme: SchemeModule, word: "module:", forms: []string{"module:MODULE@VERSION"},
			parse: parseModule, text: moduleOf, executes: always,
		},
		{
			scheme: SchemeManifests, word: manifests + ":", forms: []string{"crd:FOLDER", "crd:MODULE@VERSION//FOLDER"},
			parse: parseManifests, text: folderOf, executes: never, mutant: mutantFolder,
		},
	}
}

// Schemes returns every scheme.
func Schemes() (all []Scheme) {
	for _, s := range schemes() {
		all = append(all, s.scheme)
	}
	return all
}

// supported lists the valid forms for error messages.
func supported() string {
	var all []string
	for _, s := range schemes() {
		all = append(all, s.forms...)
	}
	return "supported: " + strings.Join(all, ", ")
}

// properties returns the row of a scheme; ok is false for a scheme without one.
func (s Scheme) properties() (row properties, ok bool) {
	all := schemes()
	if i := slices.IndexFunc(all, func(p properties) bool { return p.scheme == s }); i >= 0 {
		return all[i], true
	}
	return properties{}, false
}

// String returns the reference as a user writes it.
func (r Reference) String() string {
	if row, ok := r.Scheme.properties(); ok {
		return row.word + row.text(r)
	}
	return r.Component + "@" + r.Version
}

// Executes reports whether the reference names a program that skewsim runs or builds and that
// is neither a Kubernetes release nor the reference server. A commit is not a release: it can
// refer to code that anyone proposed. Nothing is known of a scheme without a row: it executes.
func (r Reference) Executes() bool {
	row, ok := r.Scheme.properties()
	return !ok || row.executes(r)
}

// Underlies reports whether the build may be the kube-apiserver that manifests are installed
// on, or that an aggregated server is behind.
func (r Reference) Underlies() bool {
	row, _ := r.Scheme.properties()
	return row.underlies
}

// IsUnderlying reports whether text is a reference that Underlies.
func IsUnderlying(text string) bool {
	ref, err := ParseReference(text)
	return err == nil && ref.Underlies()
}

// IsSubstitutable reports whether another patch of the same minor may serve instead if the
// build is not available.
func (r Reference) IsSubstitutable() bool {
	row, _ := r.Scheme.properties()
	return row.substitutable
}

// Mutant returns the reference of a mutant of this release: the same edit with a mistake. Only
// releases of the reference server and folders of manifests have mutants, and a mutant has
// none. The mutant of a folder is the folder of that name with +MUTANT appended.
func (r Reference) Mutant(name string) (Reference, error) {
	if row, _ := r.Scheme.properties(); row.mutant != nil {
		return row.mutant(r, name)
	}
	return noMutant(r, name)
}

func noMutant(r Reference, name string) (Reference, error) {
	return Reference{}, fmt.Errorf("%s: has no mutant %q: only releases of %s and folders of manifests have mutants", r, name, frobber)
}

func mutantRelease(r Reference, name string) (Reference, error) {
	if strings.Contains(r.Version, "+") {
		return Reference{}, fmt.Errorf("%s: is already a mutant, so it has no mutant %q: name the correct release", r, name)
	}
	r.Version += "+" + name
	return r, nil
}

func mutantFolder(r Reference, name string) (Reference, error) {
	if r.Module != "" {
		return noMutant(r, name)
	}
	r.Path += "+" + name
	return r, nil
}

func versionOf(r Reference) string { return r.Version }
func pathOf(r Reference) string    { return r.Path }
func moduleOf(r Reference) string  { return r.Module + "@" + r.Version }

func folderOf(r Reference) string {
	if r.Module == "" {
		return r.Path
	}
	return moduleOf(r) + "//" + r.Path
}

func atCommit(r Reference) bool { return IsCommit(r.Version) }
