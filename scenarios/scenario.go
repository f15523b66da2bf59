package scenarios

import (
	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Scenario is one experiment: the releases, the objects, the operations of each client at each
// stage, and the expected findings.
type Scenario struct {
	// Name is the scenario's name; it equals the file's name without .yaml, which is the
	// default.
	Name string `json:"name,omitempty" jsonschema_description:"The scenario's name: the file's name without .yaml, which is the default."`
	// About explains in plain words what goes wrong. Every report shows it.
	About string `json:"about" jsonschema:"required" jsonschema_description:"What the scenario shows, in plain words. Every report shows it."`
	// Releases says which releases the scenario applies to.
	Releases Releases `json:"releases,omitempty" jsonschema_description:"Which releases the scenario applies to."`
	// Old and New are the options the servers of each release are started with.
	Old Options `json:"old,omitempty" jsonschema_description:"Options for servers of the old release."`
	New Options `json:"new,omitempty" jsonschema_description:"Options for servers of the new release."`
	// Replicas is how many API servers share the store. Default 2, at most 5.
	Replicas int `json:"replicas,omitempty" jsonschema:"minimum=1,maximum=5,default=2" jsonschema_description:"How many API servers share the store."`
	// Surge has one replica for each release, and no second one beside it: a roll-out starts the
	// server of the other release, and then ends the one before. Half as many servers answer half as
	// many requests; what two servers of the same release disagree about is not seen. Default false.
	Surge bool `json:"surge,omitempty" jsonschema:"default=false" jsonschema_description:"Whether a roll-out starts the server of the other release beside the one that serves, and then ends that one: one replica for each release, a and b, instead of several that are replaced in turn."`
	// Journey is the order of roll-outs. Default upgrade, rollback, upgrade.
	// It starts with upgrade, and upgrade and rollback take turns.
	Journey []term.Rollout `json:"journey,omitempty" jsonschema_description:"The order of roll-outs; default upgrade, rollback, upgrade."`
	// Objects are the objects of the run, by the name that lines of Play use.
	Objects map[string]Object `json:"objects" jsonschema:"required" jsonschema_description:"The objects, by the name that play uses."`
	// Play lists the operations: who does what, and when.
	Play []Line `json:"play" jsonschema:"required" jsonschema_description:"Who does what, and when. Lists multiply: a copy for each combination."`
	// Related are groups of paths that a server keeps in step (singular and plural, a renamed
	// field and its old name, an annotation and its field). An operation on one path is an
	// operation on its whole group.
	Related []Group `json:"related,omitempty" jsonschema_description:"Groups of paths that a server keeps in step: an operation on one of them is an operation on all."`
	// Confidential marks values that no report shows, in addition to those of Secrets.
	Confidential []Confidential `json:"confidential,omitempty" jsonschema_description:"Values that no report may show, in addition to those of Secrets: reports show fingerprints instead."`
	// Orders is how many additional copies are made. Each goes through an order of operations
	// that the seed draws from the lines. Default 0.
	Orders int `json:"orders,omitempty" jsonschema:"minimum=0,maximum=10000,default=0" jsonschema_description:"How many additional copies are made. Each goes through an order of operations that the seed draws from the lines of play."`
	// Isolate gives the scenario servers and a store of its own. Other scenarios run together
	// on shared servers where possible; this one must not, because what it stores makes a whole
	// resource unreadable or ends a server. Default false.
	Isolate bool `json:"isolate,omitempty" jsonschema:"default=false" jsonschema_description:"Whether the scenario needs servers and a store of its own instead of a shared run: for a scenario that makes a whole resource unreadable, or ends a server."`
	// Expect lists the findings the scenario must give, and no others.
	Expect []Expectation `json:"expect,omitempty" jsonschema_description:"The findings the scenario must give. Each finding matches exactly one line, and no line may match none."`

	// Mutants are the mistakes, by the mutant's name, that the scenario detects in a new
	// release with one of them.
	Mutants map[string]Mutant `json:"mutants,omitempty" alias:"twins" jsonschema_description:"The new release's mutants, by name: what each does wrong, and which finding catches it."`

	// Mutant is the name of the mutant that is played; "" for the correct release. Find sets
	// it.
	Mutant string `json:"-"`

	// AA is the release that is both the old and the new one; "" if the scenario is not of an
	// A/A run. AARun sets it.
	AA term.Role `json:"-"`
	// Given are the server options that the user gave on the command line. Old and New include
	// them. WithGiven sets it.
	Given map[term.Role]Options `json:"-"`
	// Order is the number of the one order that is played; 0: all of them.
	Order int `json:"-"`
	// BuiltIn says that the file belongs to the catalogue, and that File is a name in it.
	BuiltIn bool `json:"-"`
	// File is the file that the scenario was read from, for error messages.
	File string `json:"-"`
	// Lines holds the line of each part of the file, by its path in the
	// document ("play[0].via"), for error messages.
	Lines map[string]int `json:"-"`
	// Earlier holds the paths of keys for which the file uses an earlier name, with that name.
	Earlier map[string]string `json:"-"`
	// Manifests are the object files, by their name in Objects ("objects/pod-plain.yaml").
	Manifests map[string]Manifest `json:"-"`
}

// Releases says which releases a scenario applies to.
type Releases struct {
	// Of is the component. Default kube-apiserver.
	Of string `json:"of,omitempty" jsonschema:"default=kube-apiserver" jsonschema_description:"The component whose releases are compared."`
	// Old and New are go-version constraints on the core version (so a
	// prerelease counts as the release it will become): "< 1.37", ">= 1.34, < 1.36".
	Old string `json:"old,omitempty" jsonschema_description:"Constraint on the old release, such as \"< 1.37\"."`
	New string `json:"new,omitempty" jsonschema_description:"Constraint on the new release, such as \">= 1.37\"."`
	// Pair is the pair that is played when the user names none, such as
	// kube-apiserver@v1.36.3..v1.37.0.
	Pair string `json:"pair,omitempty" jsonschema_description:"The pair that is played when the user names none, such as kube-apiserver@v1.36.3..v1.37.0."`
	// Server is the kube-apiserver that releases of crd are installed on. Default: the
	// newest that is built.
	Server string `json:"server,omitempty" jsonschema_description:"Of crd: the kube-apiserver that the manifests are applied to, such as kube-apiserver@v1.37.0; default the newest that is built, else that of envtest in $KUBEBUILDER_ASSETS."`
	// Programs is the file, in the scenario's folder, with the programs that convert the objects
	// of crd releases, or the word auto: they are generated from the Go modules of the releases.
	// Default: rules of the folders convert them.
	Programs string `json:"programs,omitempty" jsonschema_description:"Of crd: the file with the programs that convert objects, in the scenario's folder, or auto: they are generated from the Go modules of the releases."`
	// Adapter is the file, in the scenario's folder, that says how to start API servers of Go
	// modules. Default: no adapter is needed.
	Adapter string `json:"adapter,omitempty" jsonschema_description:"Of pairs such as module:k8s.io/sample-apiserver@v0.35.4..v0.37.0: the file that says how their servers are started, in the scenario's folder."`
	// Clients is the release of older-typed and older-apply clients, such as v1.34.4. It is
	// older than the pair, and has no servers.
	Clients string `json:"clients,omitempty" jsonschema_description:"The release of older-typed and older-apply clients, such as v1.34.4: older than the pair's, of which there are no servers."`
	// Through are the releases of a chain, which is played when the user names no releases:
	// forward through all of them, one hop after the other, and back.
	Through Through `json:"through,omitempty" jsonschema_description:"The releases of a chain, played hop by hop, forward and back: frobber@1.0..1.30, or a list such as frobber@1.0,1.1,1.3, whose items may say what the servers are started with."`
}

// Options are the settings that a release's servers are started with.
type Options struct {
	// FeatureGates switches gates by name.
	FeatureGates map[string]bool `json:"featureGates,omitempty" jsonschema_description:"Feature gates to switch, by name."`
	// RuntimeConfig switches API groups and versions: {api/all: true}.
	RuntimeConfig map[string]bool `json:"runtimeConfig,omitempty" jsonschema_description:"API groups and versions to switch, such as {api/all: true}."`
	// Gates switches on every gate of that stage which the release accepts, and the gates that
	// they depend on. FeatureGates takes precedence. Default none.
	Gates term.GateStage `json:"gates,omitempty" jsonschema_description:"Switches on every gate of that stage which the release accepts, and the gates that they depend on; featureGates takes precedence."`
	// EmulatedVersion makes a server behave as an earlier release (KEP-4330), of its own minor
	// version and up to three before: "1.36", or old: that of the old release.
	EmulatedVersion string `json:"emulatedVersion,omitempty" jsonschema_description:"The release that the server emulates, such as \"1.36\"; old: that of the old release."`
	// MinCompatibilityVersion is the earliest release that the server stays compatible with in
	// a mixed control plane. It is a version that can be emulated. Default: the server's.
	MinCompatibilityVersion string `json:"minCompatibilityVersion,omitempty" jsonschema_description:"The earliest release that the server stays compatible with, such as \"1.36\"; old: that of the old release."`
	// Encryption configures encryption at rest. Nil: none.
	Encryption *Encryption `json:"encryption,omitempty" jsonschema_description:"How the servers encrypt what they store; default not at all."`
	// Forgotten says that the manifests of the new release are not applied: its clients are
	// new, and its servers still have the old manifests. Default false.
	Forgotten bool `json:"forgotten,omitempty" jsonschema_description:"Of new, where releases are crd: the manifests are not applied, so that only clients are new."`
	// Flags are passed to the server unchanged. Flags that skewsim sets itself are refused
	// before a server starts.
	Flags []string `json:"flags,omitempty" jsonschema_description:"Further flags, passed unchanged."`
}

// Encryption is an EncryptionConfiguration. A run generates the keys, one for each name.
// Unencrypted values can always be read.
type Encryption struct {
	// Resources are the encrypted resources: secrets, widgets.example.dev.
	Resources []string `json:"resources" jsonschema:"required" jsonschema_description:"The resources that are encrypted, such as secrets or widgets.example.dev."`
	// Provider and Key encrypt what is written. Without them nothing is encrypted on write.
	Provider term.EncryptionProvider `json:"provider,omitempty" jsonschema_description:"Encrypts what is written, with the key; default none: it is written as it is."`
	Key      string                  `json:"key,omitempty" jsonschema_description:"The name of the key that the provider writes with, such as k1: the same key for the same name."`
	// Reads are the names of further keys that decrypt stored values.
	Reads []string `json:"reads,omitempty" jsonschema_description:"The names of keys that stored values are read with as well, by whichever provider."`
}

// Object is one object in its forms. It has at least one form.
type Object struct {
	// Treated is the file of the form that uses the change under test.
	Treated string `json:"treated,omitempty" jsonschema_description:"The file of the form that uses the change under test."`
	// Bystander is the file of the form that does not use the change.
	Bystander string `json:"bystander,omitempty" jsonschema_description:"The file of the form that does not use the change."`
	// Since is a go-version constraint on the releases that can create the object: ">= 1.13",
	// ">= 1.20, < 1.21". Default: any. It is not created through other releases. In a chain
	// only the first leg that can creates it.
	Since string `json:"since,omitempty" jsonschema_description:"The releases that can make the object, such as \">= 1.13\"; default any. Of a chain the first leg that can makes it, and later ones take it over."`
	// Changes are the values, by path, that a touch sends for the changes sibling, element and
	// list; null removes. A label needs none.
	Changes map[term.Change]map[string]any `json:"changes,omitempty" alias:"mutations" jsonschema_description:"For the changes sibling, element and list: what a touch sends, by path."`
}

// Manifest is one object file.
type Manifest struct {
	File string         // its name in Objects
	Body map[string]any // the object, as apimachinery's unstructured content

	// Root is the root of the file's YAML nodes, which know their lines; nil if they are not
	// known.
	Root *yaml.Node `json:"-"`
}

// Line is one line of play. Exactly one of the verbs Create to Delete names its object.
type Line struct {
	Create string `json:"create,omitempty" jsonschema_description:"Create copies of this object. Default at: the first stage where that can be played."`
	Touch  string `json:"touch,omitempty" jsonschema_description:"Change an unrelated label of this object, or a condition for status-patch."`
	Set    string `json:"set,omitempty" jsonschema_description:"Set the given fields of this object."`
	Patch  string `json:"patch,omitempty" jsonschema_description:"Send the given body to this object."`
	Get    string `json:"get,omitempty" jsonschema_description:"GET this object."`
	List   string `json:"list,omitempty" jsonschema_description:"LIST this object's kind."`
	Delete string `json:"delete,omitempty" jsonschema_description:"DELETE this object."`

	// Client is the kind of client that sends the request. Default dynamic.
	Client []term.Client `json:"client,omitempty" jsonschema_description:"Whose types carry the request; default dynamic."`
	// Read is the replica or release that put reads through. Default: the same as Via.
	Read []Target `json:"read,omitempty" jsonschema_description:"The replica (a, b, ...) or release (old, new) that put reads through; default the one it writes through."`
	// Via is the replica or release that the request goes through. Default old and new.
	Via []Target `json:"via,omitempty" jsonschema_description:"The replica (a, b, ...) or release (old, new) that the request goes through; default old and new."`
	// Verb is how touch and set write, how create creates and how delete deletes. Default put,
	// create (a POST) and delete; apply for clients that only apply.
	Verb []term.Verb `json:"verb,omitempty" jsonschema_description:"How touch and set write (default put), how create makes (create, apply or client-side-apply) and delete removes (delete or delete-collection); apply clients apply by default."`
	// Change is what touch changes. Default label.
	Change []term.Change `json:"change,omitempty" alias:"mutation" jsonschema_description:"What touch changes, by its distance from the field under test; default label. All but label take their values from the object's changes."`
	// Encoding is the encoding of typed clients' bodies. Default json.
	Encoding []term.Encoding `json:"encoding,omitempty" jsonschema_description:"The form of typed clients' bodies; default json."`
	// FieldValidation is the parameter of that name. Default: it is not sent.
	FieldValidation []term.FieldValidation `json:"fieldValidation,omitempty" jsonschema_description:"What servers are to do about unknown fields; default: the parameter is not sent."`
	// Manager is the field manager of apply. Default skewsim, for every client: one manager
	// that exists in both releases.
	Manager []string `json:"manager,omitempty" jsonschema_description:"The field manager of apply; default skewsim, whichever client applies."`
	// Force makes apply take fields from other managers. Default true.
	Force *bool `json:"force,omitempty" jsonschema_description:"Whether apply takes fields over from other managers; default true, as controllers do."`
	// APIVersion is the version of the API that the operation uses, or how its client discovers
	// it (term.Discovery). Default: the manifest's.
	APIVersion []string `json:"apiVersion,omitempty" jsonschema_description:"The served version that the operation goes through, such as autoscaling/v1; preferred or once-preferred for a client that discovers it; default the manifest's."`
	// Subresource is the subresource that touch, set and patch write, such as status,
	// ephemeralcontainers or resize. Default: the whole object, or the subresource of the verb.
	Subresource string `json:"subresource,omitempty" jsonschema_description:"The subresource that is written, such as status, ephemeralcontainers or resize; default the whole object, or the one that the verb names."`
	// Propagation is the propagation policy of a delete. Default: the parameter is not sent,
	// and the kind decides.
	Propagation term.Propagation `json:"propagation,omitempty" jsonschema_description:"For delete: the propagation policy for objects that the deleted one owns; default the kind's own."`
	// At names the stages. Default: every stage where the combination can be played; for create
	// the first such stage.
	At []string `json:"at,omitempty" jsonschema_description:"Stages such as new, rolled-back, upgrading (each of its parts), upgrading 1/2; or every."`
	// Fields are the values that set sends, by path; null removes.
	Fields map[string]any `json:"fields,omitempty" jsonschema_description:"For set: the value to send, by path; null removes the field."`
	// Type is how patch sends its body: json-patch, merge-patch, strategic-patch, or
	// post, to a subresource.
	Type term.PatchType `json:"type,omitempty" jsonschema_description:"For patch: json-patch, merge-patch, strategic-patch, or post, to a subresource."`
	// Body is what patch sends: an object, or a list of operations for json-patch.
	Body any `json:"body,omitempty" jsonschema_description:"For patch: what to send."`
	// Names are the paths that patch means to change. A merge or strategic merge body without
	// lists does not need them. Post names no path by default, because its body is of another
	// kind.
	Names []string `json:"names,omitempty" jsonschema_description:"For patch: the paths that the body means to change; needed when the body holds a list. Of post: none, unless it is said."`
	// FieldSelector restricts a LIST to objects with these field values, by the labels that the
	// version supports. Default: no selector.
	FieldSelector []string `json:"fieldSelector,omitempty" jsonschema_description:"For list: what fields must say, by the labels that the version supports, such as spec.param=x; the answer must hold exactly what does."`
	// Then are lines about the same object that are played on the same copies after this line, in
	// this order: right after it or, for each word of their At, at the first later stage that can play it. Lists in them
	// multiply too.
	Then []Line `json:"then,omitempty" jsonschema_description:"Lines about the same object, played on the same copies after this one: at the same stage, or, for each word of at, at the first later stage that can play it."`
	// Alone keeps the line out of orders: its answer depends on what happened to the copy
	// before.
	Alone bool `json:"alone,omitempty" jsonschema_description:"Play the line only on a copy of its own and in no order: its answer depends on earlier operations."`
	// Respond is the declared answer. Default: any success.
	Respond *Respond `json:"respond,omitempty" jsonschema_description:"The answer that is declared; default any success."`
}

// Target names a replica ("a") or a release ("old").
type Target string

// Respond declares an answer.
type Respond struct {
	// Code is the HTTP status. Default: any 2xx.
	Code int `json:"code,omitempty" jsonschema:"minimum=100,maximum=599" jsonschema_description:"The HTTP status; default any 2xx."`
	// Warnings are texts, each of which one of the answer's warnings contains.
	Warnings []string `json:"warnings,omitempty" jsonschema_description:"Texts that must each occur in one of the answer's warnings."`
	// Fields are values that the answer must have, by path; null means absent.
	Fields map[string]any `json:"fields,omitempty" jsonschema_description:"Values that the answer must show, by path; null means absent."`
}
