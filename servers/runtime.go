package servers

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Build is a release that can be started. It is told from others by all of its
// fields: one binary, and so one digest, may hold many releases.
type Build struct {
	Reference string // as the user gave it: kube-apiserver@v1.36.3, frobber@1.1+required, path:./kube-apiserver
	Component string // kube-apiserver, frobber
	Version   string // what the binary says of itself: v1.36.3, v1.1.0+required
	Path      string // of the binary; in its image, where it has one
	Digest    string // sha256 of the binary, or of the image's configuration, in hex
	// File is the binary as it was when Digest was taken: a changed one is not started.
	// The zero File: nobody changes it.
	File File
	// Image is the ID of the container image that it is run from, sha256:HEX; "": it is
	// executed as it lies on this machine.
	Image string
	// Asked is the reference that was asked for, where another patch of its minor
	// serves since that could not be had; "": it is Reference.
	Asked string
	// Substituted are the modules of which it has another version than its release,
	// each as "PATH VERSION -> VERSION", with ", " between them; "": it has none.
	Substituted string
	// Installs is what is installed on its servers as they start; nil: nothing is.
	Installs *Installation
	// Aggregated is what its servers need that lean on a kube-apiserver; nil: they
	// stand alone.
	Aggregated *Aggregation
}

// Substitutions are what Substituted holds, one by one.
func (b Build) Substitutions() []string {
	if b.Substituted == "" {
		return nil
	}
	return strings.Split(b.Substituted, ", ")
}

// VersionOf is the version of a server of the build, which says of itself that it is of
// the version said. Where clients talk to another's server that is the other's.
func (b Build) VersionOf(said string) string {
	if b.Installs != nil || b.Aggregated != nil {
		return b.Version
	}
	return said
}

// Installation is what makes a release of a server that is another release's:
// definitions of custom resources.
type Installation struct {
	// Server is the build that it is installed on.
	Server Build
	// Objects are applied in this order, each a JSON object.
	Objects []json.RawMessage
	// Defines are the resources that they define, each as plural.group.
	Defines []string
	// Conversion are the rules by which the definitions' webhook converts, as JSON;
	// nil: they have none.
	Conversion json.RawMessage
	// Clients are the manifests that the release's clients are of, where they are
	// others; nil: the same.
	Clients *Build
}

// Aggregation is what makes a server one that leans on a kube-apiserver: that tells it
// whom to let in and which namespaces there are, and clients reach it through that.
type Aggregation struct {
	// Component is what the server is called. Adapter is the file that says how it is
	// started, as whoever played it gave it, and AdapterDigest the sha256 of its bytes,
	// in hex; "": the scenario names the file, or there is none.
	Component, Adapter, AdapterDigest string
	// Core is the build of the kube-apiserver. All servers of a run have the same.
	Core Build
	// File is the adapter's, as the user or the scenario names it; "": there is none.
	File string
	// APIServices are the versions that clients reach through it, each as
	// version.group; none: all that a server serves.
	APIServices []string
	// Flags are passed to the server as they stand.
	Flags []string
	// Names are what flags that all servers are given are called here, without
	// dashes; "": the server has no such flag.
	Names map[string]string
	// Globals is the component whose gates and versions the options mean, as the
	// server's flags name it, such as wardle; "": they name none.
	Globals string
}

// Installed is what came of one object that was to be installed.
type Installed struct {
	Kind    string   `json:"kind,omitempty"`    // of the manifest
	Name    string   `json:"name"`              // metadata.name
	Code    int      `json:"code"`              // of the answer
	Message string   `json:"message,omitempty"` // the server's, where it refused; what was there stays then
	Stored  []string `json:"stored,omitempty"`  // versions in which objects may be stored, as the server says
	// Versions are those that the manifest has.
	Versions []string `json:"versions,omitempty"`
}

// Installer is a Process that something was installed on before it was ready.
type Installer interface {
	Installed() []Installed
}

// Reinstaller is an Installer that installs once more, over what another release's servers
// have installed in between on the same store.
type Reinstaller interface {
	Reinstall(ctx context.Context) ([]Installed, error)
}

// Options are what a release's servers are started with.
type Options struct {
	FeatureGates  map[string]bool
	RuntimeConfig map[string]bool
	// EmulatedVersion and MinCompatibilityVersion are minor releases such as 1.36;
	// "": the server's own.
	EmulatedVersion, MinCompatibilityVersion string
	// Encryption is how they encrypt what they store; nil: not at all.
	Encryption *Encryption

	Flags []string
}

// Store is how a server reaches the shared etcd: over TLS, with a client
// certificate.
type Store struct {
	Endpoint string // https://127.0.0.1:port
	CAFile   string
	CertFile string
	KeyFile  string
	Prefix   string // of every key; "" means the server's default
}

// Gate is a way into a store for one server alone. It is shut at first, so that
// a server can be started before its time: it does what it can without the
// store, and the rest once the gate is opened. Each call may be repeated.
type Gate interface {
	// Store is how the server reaches the store through the gate.
	Store() Store
	// Read lets the server read, and still write nothing.
	Read()
	// Open lets the server at the store.
	Open()
	// Seal lets the server only read from now on, for it may need that to end
	// in order. When Seal returns, nothing it wrote is still on its way.
	Seal()
	// Close cuts the server off and frees what the gate holds.
	Close()
}

// Placement says where and how one server runs.
type Placement struct {
	Name    string // unique among the runtime's servers: "a-2"; names its directory and log
	Store   Store
	Options Options
	// Port is the port to listen on. 0, the default, takes a free one that
	// nothing else can take in between.
	Port int
	// ReadyWithin bounds the time from exec to ready. Default 2 minutes, for a
	// server that starts over an object it cannot decode waits a minute.
	ReadyWithin time.Duration
	// MayNotRead are the paths of collections, such as /api/v1/secrets, that the server
	// may be unable to read. One that only waits for what is stored, and cannot list
	// one of these, counts as ready: see Limping.
	MayNotRead []string
	// Flags are what this server needs beside the flags that all servers of its
	// component have; they take the place of those of the same name.
	Flags []string
	// Executed is told how the server will be reached, as soon as it is executed and
	// before it listens. Nil: nobody is.
	Executed func(Endpoint)
}

// Runtime starts builds over a shared store.
type Runtime interface {
	// Start returns when the server is ready, has died, or ctx has ended. A
	// server that dies first is an *ExitError at once, never a time-out.
	// Whatever Start began it undoes when it fails.
	Start(ctx context.Context, b Build, at Placement) (Process, error)
	// Close kills what still runs, in reverse order of starting, removes the
	// runtime's secrets, and joins all errors.
	Close() error
}

// Limping is a Process that may have been taken for ready though it was not: it does
// not read some of what is stored.
type Limping interface {
	// Lacks says what it was not ready in, and which of the collections, of those of
	// Placement.MayNotRead, it did not read then; "": it read all of them.
	Lacks(collections []string) string
}

// Endpoint is how a client reaches a server.
type Endpoint struct {
	URL    string // https://127.0.0.1:port
	CAData []byte // PEM
	Token  string // bearer; random, of this run only
}

// Process is one running server.
type Process interface {
	// Name is the placement's name.
	Name() string
	Endpoint() Endpoint
	// ReadyAfter is the time from exec to ready.
	ReadyAfter() time.Duration
	// Done is closed when the server has ended, for whatever reason.
	Done() <-chan struct{}
	// Err says why the server ended: nil while it runs and after it was asked
	// to stop, an *ExitError when it ended by itself.
	Err() error
	// LogPath is the file that holds everything the server printed.
	LogPath() string
	// Stop asks the server to end and waits for it; when ctx ends first it
	// kills. Stopping a stopped server is no error.
	Stop(ctx context.Context) error
	// Kill ends the server at once and waits for it.
	Kill()
}
