package servers

import (
	"fmt"
	"strings"

	"golang.org/x/mod/module"
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
	SchemeImage     Scheme = "image"  // image:NAME: a container image, run by a Docker engine
	SchemeSource    Scheme = "source" // source:FOLDER: built from a checkout of Kubernetes
	SchemeModule    Scheme = "module" // module:MODULE@VERSION: any Go module's API server, as an adapter says
)

// The components that references name.
const (
	kubernetes = "kube-apiserver"
	frobber    = "frobber"
	manifests  = "crd"
)

// supported is the way out that errors name.
const supported = "supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+TWIN], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER"

// Reference names a build, as a user writes it.
type Reference struct {
	Scheme Scheme
	// Component and Version are those of a release: kube-apiserver, v1.36.3, or v1.36,
	// which is the newest patch of it that is built, else that can be had;
	// frobber, 1.1 or 1.1+required. Both are empty for a path, a source and an image:
	// the executable itself tells them. Of a module the adapter tells the component.
	Component string
	Version   string
	// Path is the file of SchemePath, the folder of SchemeManifests and SchemeSource, or
	// the name of SchemeImage, as given.
	Path string
	// Module is the Go module whose Version holds the folder, or the API server of
	// SchemeModule; "": none does.
	Module string
	// Manifests is what else belongs to a release of SchemeManifests. References
	// are not written with it.
	Manifests Manifests
	// Adapter is the file that says how the server of SchemeModule is started, and
	// AdapterWithin the directory that it is looked for in; "": what no adapter says, and
	// the current one. References are not written with them.
	Adapter, AdapterWithin string
	// Preferred: another patch of the release's minor serves where the release cannot
	// be had. Nor are references written with that.
	Preferred bool
}

// WithinCatalogue begins the Within of references in scenarios of the catalogue, whose files
// come with skewsim. The rest is a folder in it.
const WithinCatalogue = "catalogue:"

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

// Executes reports whether the reference names a program that is executed, or built to be,
// and that is neither a release of Kubernetes nor the reference server. A commit is no
// release: code that anyone proposed can be fetched by it.
func (r Reference) Executes() bool {
	if r.Scheme == SchemeRelease && IsCommit(r.Version) {
		return true
	}
	return r.Scheme == SchemePath || r.Scheme == SchemeSource || r.Scheme == SchemeImage || r.Scheme == SchemeModule
}

// IsCommit reports whether a version names a commit of a module, and no release.
func IsCommit(version string) bool { return module.IsPseudoVersion(version) }

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
