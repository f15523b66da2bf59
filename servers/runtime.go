package servers

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Build is a release that can be started. Two builds are the same only if all fields are equal:
// one binary, and so one digest, may contain many releases.
type Build struct {
	Reference string // as the user gave it: kube-apiserver@v1.36.3, frobber@1.1+required, path:./kube-apiserver
	Component string // kube-apiserver, frobber
	Version   string // what the binary reports: v1.36.3, v1.1.0+required
	Path      string // of the binary; in its image, where it has one
	Digest    string // sha256 of the binary, or of the image's configuration, in hex
	// File is the state of the binary when Digest was computed: a changed binary is not
	// started. The zero File means that nobody changes it.
	File File
	// Image is the ID of the container image to run, sha256:HEX. If empty, the build runs as a
	// process on this machine.
	Image string
	// Subcommand is the first argument with which the binary is the server, if the binary is
	// another program without it. If empty, the binary is the server.
	Subcommand string
	// Asked is the reference that was requested, if it was not available and another patch of
	// its minor is used instead. If empty, it is Reference.
	Asked string
	// Substituted lists the modules whose version differs from the release's, each as "PATH
	// VERSION -> VERSION", separated by ", ".
	Substituted string
	// From is the address or the file that the binary was taken from; "" if it was built here, or
	// the reference names it.
	From string
	// Installs is what its servers install when they start; nil if nothing.
	Installs *Installation
	// Aggregated describes servers that run behind a kube-apiserver; nil for servers that run
	// alone.
	Aggregated *Aggregation
}

// Substitutions returns the elements of Substituted.
func (b Build) Substitutions() []string {
	if b.Substituted == "" {
		return nil
	}
	return strings.Split(b.Substituted, ", ")
}

// VersionOf returns the version of a server of the build, given the version that its endpoint
// reports. They differ where clients talk to another component's server.
func (b Build) VersionOf(said string) string {
	if b.Installs != nil || b.Aggregated != nil {
		return b.Version
	}
	return said
}

// Installation is what turns servers of another release into servers of this one:
// CustomResourceDefinitions.
type Installation struct {
	// Server is the build that it is installed on.
	Server Build
	// Objects are applied in this order. Each is a JSON object.
	Objects []json.RawMessage
	// Defines lists the resources that the objects define, each as plural.group.
	Defines []string
	// Conversion contains the rules of the definitions' conversion webhook, as JSON; nil if
	// they have none.
	Conversion json.RawMessage
	// Program converts objects instead of rules, and admits them. One without Path and URL says that the
	// release has none, and that nobody converts while the release's program should run. Nil: nobody
	// named any program.
	Program *Program
	// LeftOut are the admission webhooks that stand beside the objects and that the program does not serve,
	// each in words.
	LeftOut []string
	// Clients are the manifests that the release's clients use, if they differ from the
	// servers'; otherwise nil.
	Clients *Build
}

// Program is a process of a release that runs beside its servers, such as the conversion webhook
// of an operator. Arguments and variables may contain $(port), $(certDir) and $(kubeconfig).
type Program struct {
	// Component is its name in errors and in the name of its log.
	Component string
	// Path is the executable, File its state when Digest was computed, and Dir its working
	// directory. They are empty for a program that runs already.
	Path string
	File File
	Dir  string
	Args []string
	// Image is the ID of the container image that Path is in; "": it is on this machine.
	Image string
	// Env are further variables, each as NAME=VALUE.
	Env []string
	// URL is where the program runs already, and CA the authority of its certificate, in PEM.
	URL string
	CA  []byte
	// Ready is a path that answers 200 when the program is ready; "": it needs none. Converts is
	// the path that ConversionReviews are sent to.
	Ready, Converts string
	// OnlyAdmits says that the definitions of its own release need no conversion: it is ready without an
	// answer at Converts. While those of the other release are installed, it is asked there all the same.
	OnlyAdmits bool
	// Admits are the paths that AdmissionReviews are sent to, and Admission the configurations of the
	// release that name them. They change with the program.
	Admits    []string
	Admission []Configuration
	// MissingSetups are answers that say that nobody set the program up; an object cannot be the reason.
	MissingSetups []MissingSetup
	// Digest identifies the executable and everything that it is started with.
	Digest string
}

// MissingSetup is an answer of a program that nobody set up.
type MissingSetup struct {
	// Text is the message, or a part of it, and Setter the function that should have been called.
	Text, Setter string
}

// Configuration is a configuration of admission webhooks, all of which a program serves.
type Configuration struct {
	Plural, Name string
	JSON         json.RawMessage
}

// KubeconfigVariable in a program's arguments and variables is the file with the address of an API server.
const KubeconfigVariable = "$(kubeconfig)"

// NeedsServer reports whether the program is started with the address of an API server.
func (p Program) NeedsServer() bool {
	uses := func(text string) bool { return strings.Contains(text, KubeconfigVariable) }
	return slices.ContainsFunc(p.Args, uses) || slices.ContainsFunc(p.Env, uses)
}

// Aggregation describes a server that runs behind a kube-apiserver. The kube-apiserver
// authorizes its clients, provides its namespaces, and proxies requests to it.
type Aggregation struct {
	// Component is the server's name. Adapter is the file that describes how it starts, as the
	// user gave it, and AdapterDigest the sha256 of its bytes, in hex. Adapter is empty if the
	// scenario names the file or there is no file.
	Component, Adapter, AdapterDigest string
	// Core is the build of the kube-apiserver. All servers of a run use the same one.
	Core Build
	// File is the adapter's file, as the user or the scenario names it; "" without a file.
	File string
	// APIServices are the versions that clients reach through the kube-apiserver, each as
	// version.group. If empty, all that the server serves.
	APIServices []string
	// Flags are passed to the server unchanged.
	Flags []string
	// Names maps the flags that skewsim sets to this server's names for them, without dashes;
	// "" means that the server has no such flag.
	Names map[string]string
	// Globals is the component that the server's flags use to qualify feature gates and
	// versions, such as wardle; "" if they use none.
	Globals string
}

// Installed is the outcome of installing one object.
type Installed struct {
	Kind    string   `json:"kind,omitempty"`    // of the manifest
	Name    string   `json:"name"`              // metadata.name
	Code    int      `json:"code"`              // of the answer
	Message string   `json:"message,omitempty"` // the server's, if it refused; the existing object stays then
	Stored  []string `json:"stored,omitempty"`  // versions in which objects may be stored, from the server's status
	// Versions are the versions in the manifest.
	Versions []string `json:"versions,omitempty"`
	// Webhook reports that the manifest has a webhook convert between them.
	Webhook bool `json:"webhook,omitempty"`
}

// Installer is a Process that installs objects before it is ready.
type Installer interface {
	Installed() []Installed
}

// ProgramRunner is a Runtime whose builds have programs beside their servers. Once either method was
// called, no server's start or end changes which program runs.
type ProgramRunner interface {
	// RunProgram has the program of a build run, alone. If the build has none, nobody answers.
	RunProgram(ctx context.Context, b Build) error
	// StopProgram ends the program that runs: nobody answers.
	StopProgram()
}

// Redefiner is a Runtime with builds that differ only in what they install on one server: users replace such a
// release without starting a server anew.
type Redefiner interface {
	// Redefines reports whether servers of one build can go on as servers of another.
	Redefines(from, to Build) bool
	// Redefine installs what a build installs on a running server of another, and returns that server as one of
	// the build when the resources are served. The Process that it was is done; its Stop ends no server.
	Redefine(ctx context.Context, p Process, to Build) (Process, error)
}

// Reinstaller is an Installer that can install again, after servers of another release have
// installed their objects in the same store.
type Reinstaller interface {
	Reinstall(ctx context.Context) ([]Installed, error)
}

// Options are the options that a release's servers start with.
type Options struct {
	FeatureGates  map[string]bool
	RuntimeConfig map[string]bool
	// EmulatedVersion and MinCompatibilityVersion are minor releases such as 1.36; "" means the
	// server's default.
	EmulatedVersion, MinCompatibilityVersion string
	// Encryption configures encryption at rest; nil disables it.
	Encryption *Encryption
	// ServiceIPRange lists the ranges of addresses for Services, such as
	// 10.96.0.0/12,fd00::/112; "" means the component's own.
	ServiceIPRange string

	Flags []string
}

// Equal reports whether both start a server alike.
func (o Options) Equal(other Options) bool { return reflect.DeepEqual(o.spelled(), other.spelled()) }

// spelled returns options without empty maps and lists, which say what none say.
func (o Options) spelled() Options {
	if len(o.FeatureGates) == 0 {
		o.FeatureGates = nil
	}
	if len(o.RuntimeConfig) == 0 {
		o.RuntimeConfig = nil
	}
	if len(o.Flags) == 0 {
		o.Flags = nil
	}
	return o
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

// Gate controls the access of one server to a store. It is closed at first, so that a server
// can start ahead of time: the server does what it can without the store, and the rest once the
// gate is open. Each call may be repeated.
type Gate interface {
	// Store returns how the server reaches the store through the gate.
	Store() Store
	// Read allows the server to read, but not to write.
	Read()
	// Open allows all requests of the server.
	Open()
	// Seal allows only reads from now on, because the server may need them to shut down
	// cleanly. When Seal returns, none of its writes is still in flight.
	Seal()
	// Close cuts the server off and releases the gate's resources.
	Close()
}

// Placement says where and how one server runs.
type Placement struct {
	Name    string // unique among the runtime's servers: "a-2"; names its directory and log
	Store   Store
	Options Options
	// Port is the port to listen on. 0, the default, selects a free port and reserves it for
	// the server.
	Port int
	// ReadyWithin bounds the time from exec to ready. The default is 2 minutes, because a
	// server that cannot decode a stored object waits a minute at startup.
	ReadyWithin time.Duration
	// MayNotRead are the paths of collections, such as /api/v1/secrets, that the server may be
	// unable to read. A server counts as ready if it waits only for stored objects and cannot
	// list one of these collections: see Degraded.
	MayNotRead []string
	// Flags are additional flags for this server. They replace flags of the same name that all
	// servers of its component have.
	Flags []string
	// Scratch says that the server is no replica of its control plane, such as one that only decodes
	// values: programs beside it answer no other server.
	Scratch bool
	// Executed, if not nil, is called with the server's endpoint as soon as the server is
	// executed and before it listens.
	Executed func(Endpoint)
}

// Runtime starts builds over a shared store.
type Runtime interface {
	// Start returns when the server is ready, has died, or ctx has ended. If the server dies
	// first, Start returns an *ExitError at once rather than waiting for the time-out. If Start
	// fails, it cleans up what it started.
	Start(ctx context.Context, b Build, at Placement) (Process, error)
	// Close kills the servers that still run, in reverse order of starting, removes the
	// runtime's secrets, and joins all errors.
	Close() error
}

// Degraded is a Process that may be degraded: it counted as ready although it cannot read some
// of what is stored.
type Degraded interface {
	// Lacks returns what the server lacked when it counted as ready. Of the collections in
	// Placement.MayNotRead, only these matter: it returns the zero Lack if the server read all of them.
	Lacks(collections []string) Lack
}

// Endpoint is how a client reaches a server.
type Endpoint struct {
	URL    string // https://127.0.0.1:port
	CAData []byte // PEM
	Token  string // bearer; random, of this run only
}

// Kubeconfig returns the content of a kubeconfig for the server, to be encoded as JSON.
func (e Endpoint) Kubeconfig() any {
	const name = "skewsim"
	named := func(kind string, content any) []any { return []any{map[string]any{"name": name, kind: content}} }
	return map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": name,
		"clusters": named("cluster", map[string]any{"server": e.URL, "certificate-authority-data": e.CAData}),
		"users":    named("user", map[string]any{"token": e.Token}),
		"contexts": named("context", map[string]any{"cluster": name, "user": name}),
	}
}

// Process is one running server.
type Process interface {
	// Name is the placement's name.
	Name() string
	Endpoint() Endpoint
	// ReadyAfter returns the time from exec to ready.
	ReadyAfter() time.Duration
	// Done is closed when the server has ended, for any reason.
	Done() <-chan struct{}
	// Err returns why the server ended: nil while it runs and after it was stopped, an
	// *ExitError when it ended by itself.
	Err() error
	// LogPath returns the file that contains the server's output.
	LogPath() string
	// Stop asks the server to end and waits for it. When ctx ends first, Stop kills the server.
	// Stopping a stopped server is not an error.
	Stop(ctx context.Context) error
	// Kill ends the server immediately and waits for it.
	Kill()
}
