package servers

import "golang.org/x/mod/module"

// The components that references name.
const (
	kubernetes = "kube-apiserver"
	frobber    = "frobber"
	manifests  = "crd"
)

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
	// Name is as much of the folder's path as tells it apart from those of the run's other releases. Default: the
	// folder's name.
	Name string
	// Within is the directory that contains the folder; "" means the current one.
	Within string
	// Server is the reference of the kube-apiserver; "" means the newest that is built.
	Server string
	// Served, ServedName and ServedWithin name the manifests that servers install instead, when these are
	// known only to clients. All are empty otherwise.
	Served, ServedName, ServedWithin string
	// Without are the names of definitions that are left out, with commas between them, Stored those of
	// definitions that serve the version alone in which they store objects: see crd.Set.AsStored.
	Without, Stored string
	// Program is the file of the program that converts their objects, or the word auto: one is
	// generated from the Go module of the manifests. ProgramWithin is the directory of the file;
	// "" means the current one. ProgramOf is the release of the file that these manifests are,
	// old or new. Empty: no program is named.
	Program, ProgramWithin, ProgramOf string
	// Kinds are the kinds whose definitions are read, with their group or without, and commas between
	// them; "": all.
	Kinds string
}

// IsCommit reports whether a version names a commit of a module rather than a release.
func IsCommit(version string) bool { return module.IsPseudoVersion(version) }
