package servers

import (
	"fmt"
	"strings"

	"golang.org/x/mod/module"
)

// Scheme is the kind of source that a build comes from.
type Scheme string

// The schemes that are supported.
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

// The components that references name.
const (
	kubernetes = "kube-apiserver"
	frobber    = "frobber"
	manifests  = "crd"
)

// supported lists the valid forms for error messages.
const supported = "supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER"

// Reference names a build, as a user writes it.
type Reference struct {
	Scheme Scheme
	// Component and Version identify a release: kube-apiserver with v1.36.3, or with v1.36 for
	// its newest patch that is built (or else that is available); frobber with 1.1 or
	// 1.1+required. Both are empty for a path, a source and an image, whose executables report
	// them. The component of a module comes from its adapter.
	Component string
	Version   string
	// Path is the file of SchemePath, the folder of SchemeManifests and SchemeSource, or the
	// name of SchemeImage, as given.
	Path string
	// Module is the Go module that contains the folder or the API server of SchemeModule, at
	// Version. It is empty for other schemes.
	Module string
	// Manifests says where to find the manifests of a SchemeManifests release. String does not
	// print it.
	Manifests Manifests
	// Adapter is the file that describes how the server of SchemeModule starts; "" means the
	// default adapter. AdapterWithin is the directory of that file; "" means the current one.
	// String does not print them.
	Adapter, AdapterWithin string
	// Preferred allows another patch of the release's minor where the release is not available.
	// String does not print it.
	Preferred bool
}

// WithinCatalogue is the prefix of Within for references in catalogue scenarios, whose files
// come with skewsim. The rest is a folder in the catalogue.
const WithinCatalogue = "catalogue:"

// Manifests says where to find a release's manifests and which server to install them on.
type Manifests struct {
	// Within is the directory that contains the folder; "" means the current one.
	Within string
	// Server is the reference of the kube-apiserver; "" means the newest that is built.
	Server string
	// Served and ServedWithin name the manifests that servers install instead, when these are
	// known only to clients. Both are empty otherwise.
	Served, ServedWithin string
}

// String returns the reference as a user writes it.
func (r Reference) String() string {
	switch {
	case r.Scheme == SchemePath, r.Scheme == SchemeSource, r.Scheme == SchemeImage:
		return string(r.Scheme) + ":" + r.Path
	case r.Scheme == SchemeModule:
		return "module:" + r.Module + "@" + r.Version
	case r.Scheme == SchemeManifests && r.Module != "":
		return manifests + ":" + r.Module + "@" + r.Version + "//" + r.Path
	case r.Scheme == SchemeManifests:
		return manifests + ":" + r.Path
	}
	return r.Component + "@" + r.Version
}

// Executes reports whether the reference names a program that skewsim runs or builds and that
// is neither a Kubernetes release nor the reference server. A commit is not a release: it can
// refer to code that anyone proposed.
func (r Reference) Executes() bool {
	if r.Scheme == SchemeRelease && IsCommit(r.Version) {
		return true
	}
	return r.Scheme == SchemePath || r.Scheme == SchemeSource || r.Scheme == SchemeImage || r.Scheme == SchemeModule
}

// IsCommit reports whether a version names a commit of a module rather than a release.
func IsCommit(version string) bool { return module.IsPseudoVersion(version) }

// Mutant returns the reference of a mutant of this release: the same edit with a mistake. Only
// releases of the reference server and folders of manifests have mutants, and a mutant has
// none. The mutant of a folder is the folder of that name with +MUTANT appended.
func (r Reference) Mutant(name string) (Reference, error) {
	switch {
	case r.Scheme == SchemeManifests && r.Module == "":
		r.Path += "+" + name
		return r, nil
	case r.Scheme != SchemeTrain:
		return Reference{}, fmt.Errorf("%s: has no mutant %q: only releases of %s and folders of manifests have mutants", r, name, frobber)
	}
	if strings.Contains(r.Version, "+") {
		return Reference{}, fmt.Errorf("%s: is already a mutant, so it has no mutant %q: name the correct release", r, name)
	}
	r.Version += "+" + name
	return r, nil
}
