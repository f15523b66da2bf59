package history

import (
	"encoding/json"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// SchemaVersion is the version of a history's format. The first version has the same lines, not compressed.
const (
	SchemaVersion      = "skewsim.dev/history/v2"
	firstSchemaVersion = "skewsim.dev/history/v1"
)

// Record is one line of a history. Exactly one member besides N and At is set.
type Record struct {
	N         int        `json:"n"`  // number of its line, from 1: a gap means that records are missing
	At        float64    `json:"at"` // seconds since the run began
	Header    *Header    `json:"header,omitempty"`
	Blob      *Blob      `json:"blob,omitempty"`
	Release   *Release   `json:"release,omitempty"`
	Stage     *Stage     `json:"stage,omitempty"`
	Server    *Server    `json:"server,omitempty"`
	Intent    *Intent    `json:"intent,omitempty"`
	Operation *Operation `json:"operation,omitempty"`
	Listing   *Listing   `json:"listing,omitempty"`
	Watch     *Watch     `json:"watch,omitempty"`
	Trial     *Trial     `json:"trial,omitempty"`
	Change    *Change    `json:"change,omitempty"`
	Skip      *Skip      `json:"skip,omitempty"`
	End       *End       `json:"end,omitempty"`
}

// NotForPublishing is a warning in the first line of each history.
const NotForPublishing = "not for publishing: holds objects as they were, confidential values too"

// Header is the first record.
type Header struct {
	SchemaVersion string    `json:"schemaVersion"`
	Tool          string    `json:"tool"` // skewsim's own version
	Started       time.Time `json:"started"`
	// Confidential is NotForPublishing; "" in files of earlier versions, which are no less
	// confidential.
	Confidential string `json:"confidential,omitempty"`
	// Salt is mixed into the fingerprints of confidential values in results and reports, so
	// that nobody can guess values from the fingerprints alone.
	Salt string    `json:"salt"`
	Plan plan.Plan `json:"plan"`
	// Intents says that the intent of each write is recorded before it is sent. False in files
	// of earlier versions.
	Intents bool `json:"intents,omitempty"`
	// Store is the etcd that the servers shared; nil in files of earlier versions.
	Store *term.Store `json:"store,omitempty"`
}

// Blob is one body, recorded before the first record that refers to it.
type Blob struct {
	Digest string `json:"digest"`
	// JSON is an object a server served or a client sent, with sorted keys.
	JSON json.RawMessage `json:"json,omitempty"`
	// Bytes is a stored value, or a body that is not JSON.
	Bytes []byte `json:"bytes,omitempty"`
}

// Resource is one kind that a release serves, among those the plan uses.
type Resource struct {
	APIVersion   string   `json:"apiVersion"`
	Kind         string   `json:"kind"`
	Plural       string   `json:"plural"`
	Namespaced   bool     `json:"namespaced"`
	Subresources []string `json:"subresources,omitempty"`
	// Verbs are the verbs that the release supports for it, in the API's own words: update is
	// PUT. Empty if it does not list them.
	Verbs []string `json:"verbs,omitempty"`
	// StorageVersionHash identifies the version that the release stores the kind in. Empty if
	// the release does not publish it.
	StorageVersionHash string `json:"storageVersionHash,omitempty"`
}

// Stage says that a stage of the plan began.
type Stage struct {
	Index int     `json:"index"`
	Name  string  `json:"name"`
	At    float64 `json:"-"` // At of its record: set when a history is read
	Line  int     `json:"-"` // number of its line: set when a history is read
}

// ServerEvent is an event of a server.
type ServerEvent string

// The events of a server.
const (
	Starting ServerEvent = "starting"
	Ready    ServerEvent = "ready"   // Seconds: from exec to ready
	Serving  ServerEvent = "serving" // it receives its replica's traffic from here on
	Draining ServerEvent = "draining"
	Stopped  ServerEvent = "stopped" // Seconds: from the request to stop
	Died     ServerEvent = "died"    // it ended without a request to stop
	Unready  ServerEvent = "unready" // it was not ready in time and was killed; the cause is not known
	// EndedEarly: a prewarmed server, started ahead and held off the store, ended without a
	// request to stop. The wait may be the cause; it is started again.
	EndedEarly ServerEvent = "ended-early"
	// Tripped: one of several servers that start at once on an empty store ended without a
	// request to stop. Nothing was stored yet, and it is started again.
	Tripped ServerEvent = "tripped"
	// ProgramRuns and ProgramAbsent are of what runs beside the servers, and of no replica: from here
	// on the program of the role's release answers, or none does.
	ProgramRuns   ServerEvent = "program-runs"
	ProgramAbsent ServerEvent = "program-absent"
)

// Server is one event of one server.
type Server struct {
	At      float64     `json:"-"` // At of its record: set when a history is read
	Line    int         `json:"-"` // number of its line: set when a history is read
	Step    int         `json:"step"`
	Replica string      `json:"replica"`
	Role    term.Role   `json:"role"`
	Version string      `json:"version"`
	Event   ServerEvent `json:"event"`
	Seconds float64     `json:"seconds,omitempty"`
	// Held is how many of the seconds to ready the server was kept off its store.
	Held    float64 `json:"held,omitempty"`
	Log     string  `json:"log,omitempty"` // relative to the run directory
	Message string  `json:"message,omitempty"`
	// Lacks says what a server that counts as ready was not ready in, and why: it cannot read
	// part of what is stored.
	Lacks string `json:"lacks,omitempty"`
	// Settles says that it becomes ready a minute later all the same.
	Settles bool `json:"settles,omitempty"`
	// Shared says that the store of a ready server also contains the kinds of other runs, which
	// may have slowed it.
	Shared bool `json:"shared,omitempty"`
	// Installed is the result of each manifest that a release of manifests applied to the
	// server before it was ready.
	Installed []Installed `json:"installed,omitempty"`
	// Killed says that somebody else killed the server (SIGKILL from the kernel short of
	// memory, or from a person), not a call.
	Killed bool `json:"killed,omitempty"`
}

// Installed is the result of one manifest that a server was given.
type Installed struct {
	Kind    string   `json:"kind,omitempty"`    // of the manifest
	Name    string   `json:"name"`              // metadata.name
	Code    int      `json:"code"`              // of the answer; after a 4xx the stored manifest is unchanged
	Message string   `json:"message,omitempty"` // of a refusal
	Stored  []string `json:"stored,omitempty"`  // status.storedVersions afterwards
	// Versions are the versions in the manifest.
	Versions []string `json:"versions,omitempty"`
	// Webhook reports that the manifest has a webhook convert between them.
	Webhook bool `json:"webhook,omitempty"`
}

// Purpose is the reason for a request.
type Purpose string

// The purposes of a request.
const (
	Prepare Purpose = "prepare" // create the namespace
	Rewrite Purpose = "rewrite" // write an object of an earlier leg again, unchanged
	Read    Purpose = "read"    // the GET before a write that sends back what was read
	Act     Purpose = "act"     // the operation itself
	Look    Purpose = "look"    // a GET after a write, through every live replica, or what its WATCH showed
	Try     Purpose = "try"     // a dry run, at a stage's edge: can the object still be written?
	Probe   Purpose = "probe"   // a dry run with a generated unknown field, after a 5xx: does any unknown field cause it?
	Bare    Purpose = "bare"    // a dry-run create without a value that a write should have removed and did not: is it a default?
)

// Intent is a write that is about to be sent: its effect may be seen before its answer. The
// Operation with the same values completes it.
type Intent struct {
	Line    int     `json:"-"` // number of its line: set when a history is read
	Step    int     `json:"step"`
	Copy    string  `json:"copy,omitempty"`
	Purpose Purpose `json:"purpose"`
	Turn    int     `json:"turn,omitempty"`
}

// Intent returns the operation's intent, recorded or not.
func (o Operation) Intent() Intent {
	return Intent{Step: o.Step, Copy: o.Copy, Purpose: o.Purpose, Turn: o.Turn}
}

// Operation is one request about one copy, and its answer. A GET-PUT is two.
type Operation struct {
	At      float64     `json:"-"` // At of its record: set when a history is read
	Line    int         `json:"-"` // number of its line: set when a history is read
	Step    int         `json:"step"`
	Copy    string      `json:"copy,omitempty"`
	Purpose Purpose     `json:"purpose"`
	Replica string      `json:"replica"`
	Role    term.Role   `json:"role"`
	Client  term.Client `json:"client,omitempty"`
	// Turn counts the repetitions of a read and its write after a conflict, from 0. The last
	// repetition's answer is the operation's result.
	Turn int `json:"turn,omitempty"`
	// Attempt is what a dry run tries. For lists the copies that a dry run represents.
	Attempt term.Attempt `json:"attempt,omitempty"`
	// For are the other copies that a dry run represents: their stored content differs from
	// this copy's only in its name.
	For []string `json:"for,omitempty"`
	// Watched says that a look was not sent: the WATCH of the replica has shown this answer, and a GET through it of
	// a copy with the same content, in the same stage, what the WATCH showed of that.
	Watched bool `json:"watched,omitempty"`
	// As says that a dry run was not sent: the number of the step in which the same release permitted the attempt on the
	// same content. It still permits it, at this step, for another content of the kind.
	As int `json:"as,omitempty"`
	// Follows is the version that a read or a dry run used, if the release serves the copy's
	// resource but not in the copy's own version: see Release.Follows.
	Follows  string   `json:"follows,omitempty"`
	Exchange Exchange `json:"exchange"`
	// Undecoded is why the client's types could not read a 2xx answer, or an item of a LIST's.
	// After such a read, the write that was to send the object back was not made: the operation
	// ended here and has no act of its own.
	Undecoded string `json:"undecoded,omitempty"`
}

// Done reports whether the client's call succeeded: a 2xx that it could decode. To a client, an
// answer that its types cannot decode is a failed call.
func (o Operation) Done() bool {
	return o.Exchange.Succeeded() && o.Undecoded == "" && o.Exchange.Error == "" // histories of earlier versions have it in Error
}

// Exchange is one HTTP request with its answer.
type Exchange struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Query       string `json:"query,omitempty"` // encoded, without the ?
	ContentType string `json:"contentType,omitempty"`
	Sent        string `json:"sent,omitempty"`   // digest of the body, as JSON
	Code        int    `json:"code"`             // 0: no answer, see Error
	Answer      string `json:"answer,omitempty"` // digest of the body, as JSON
	// SentBytes and AnswerBytes are the digests of protobuf bodies; Sent and Answer are then
	// the same bodies decoded by the client's types.
	SentBytes   string   `json:"sentBytes,omitempty"`
	AnswerBytes string   `json:"answerBytes,omitempty"`
	Revision    int64    `json:"revision,omitempty"` // the answer's resourceVersion
	Reason      string   `json:"reason,omitempty"`   // of a Status answer
	Message     string   `json:"message,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	// Mutated are the paths of what was sent that an admission webhook changed, as JSON pointers.
	Mutated []string `json:"mutated,omitempty"`
	Error   string   `json:"error,omitempty"` // transport
	Seconds float64  `json:"seconds"`
	// Panic is the server's panic during the request, according to its log; nil: none.
	Panic *Panic `json:"panic,omitempty"`
}

// Succeeded reports whether the server answered with a 2xx.
func (e Exchange) Succeeded() bool { return e.Code >= 200 && e.Code < 300 }

// Listing is one LIST with its items that are copies of the run.
type Listing struct {
	At         float64   `json:"-"` // At of its record: set when a history is read
	Line       int       `json:"-"` // number of its line: set when a history is read
	Step       int       `json:"step"`
	Replica    string    `json:"replica"`
	Role       term.Role `json:"role"`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	// Form is the form of the LIST. Histories of earlier versions have none: consistent.
	Form  term.ListForm `json:"form,omitempty"`
	Pages int           `json:"pages,omitempty"` // number of answered pages of a paged LIST
	// As says that the LIST was not sent: the number of the step in which the same server answered it. Nothing of the kind
	// was stored since.
	As int `json:"as,omitempty"`
	// FieldSelector is the selector of the LIST; "": none. A LIST with a selector has a LIST of
	// the same step and revision without one.
	FieldSelector string `json:"fieldSelector,omitempty"`
	// Exchange is the exchange of the first page, or of the page that failed.
	Exchange Exchange `json:"exchange"`
	Items    []Item   `json:"items,omitempty"`
}

// Item is one copy in a LIST.
type Item struct {
	Copy     string `json:"copy"`
	Answer   string `json:"answer"` // digest
	Revision int64  `json:"revision"`
}

// WatchEvent is an event of a watch.
type WatchEvent string

// The events of a watch.
const (
	WatchOpened   WatchEvent = "opened" // Revision: where it starts; again after the server ended it
	WatchAdded    WatchEvent = "added"  // the server's own events, from here on
	WatchModified WatchEvent = "modified"
	WatchDeleted  WatchEvent = "deleted"
	WatchBookmark WatchEvent = "bookmark"
	WatchError    WatchEvent = "error"  // an ERROR event: Code, Reason and Message of its Status
	WatchClosed   WatchEvent = "closed" // Message says why, when the run did not close it
)

// Watch is one event of one WATCH of one kind through one replica.
type Watch struct {
	At   float64 `json:"-"` // At of its record: set when a history is read
	Line int     `json:"-"` // number of its line: set when a history is read
	// Step is the step that opened the watch, and identifies it together with replica,
	// apiVersion and kind.
	Step       int        `json:"step"`
	Replica    string     `json:"replica"`
	Role       term.Role  `json:"role"`
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Event      WatchEvent `json:"event"`
	Copy       string     `json:"copy,omitempty"`   // of added, modified and deleted
	Answer     string     `json:"answer,omitempty"` // digest of its object
	Revision   int64      `json:"revision,omitempty"`
	Code       int        `json:"code,omitempty"`
	Reason     string     `json:"reason,omitempty"`
	Message    string     `json:"message,omitempty"`
	Panic      *Panic     `json:"panic,omitempty"` // of error and closed: of the server
}

// TrialKind is what a trial tries.
type TrialKind string

// The trials of a scratch store.
const (
	TrialStart TrialKind = "start" // a server starts over the values; Seconds: until it is ready
	TrialGet   TrialKind = "get"
	TrialList  TrialKind = "list"
	TrialWatch TrialKind = "watch"
)

// Trial is one attempt of a release to read recorded values: a scratch store contains them
// under their own keys, and a server of the release, started with the replicas' options, serves
// them.
type Trial struct {
	At         float64       `json:"-"` // At of its record: set when a history is read
	Line       int           `json:"-"` // number of its line: set when a history is read
	Step       int           `json:"step"`
	Role       term.Role     `json:"role"`
	Trial      TrialKind     `json:"trial"`
	APIVersion string        `json:"apiVersion,omitempty"` // empty for start
	Kind       string        `json:"kind,omitempty"`
	Form       term.ListForm `json:"form,omitempty"`     // of list
	Copy       string        `json:"copy,omitempty"`     // of get
	Key        string        `json:"key,omitempty"`      // of get
	Value      string        `json:"value,omitempty"`    // of get: digest of the stored bytes
	Revision   int64         `json:"revision,omitempty"` // of get: revision at which the shared store contained them
	Values     int           `json:"values,omitempty"`   // number of values in the store
	Code       int           `json:"code,omitempty"`     // 0: no answer, or of start: ready
	Answer     string        `json:"answer,omitempty"`   // of get: digest of the object
	// Missing are the copies that a list or a watch did not show.
	Missing []string `json:"missing,omitempty"`
	// GaveUp says that the wait for the missing copies ended: they may only have been late, so
	// they are not reported.
	GaveUp  bool   `json:"gaveUp,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Error is why there was no answer, or why the server did not start.
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"`
	Log     string  `json:"log,omitempty"` // of start: relative to the run directory
	// Lacks says, for a start, what the server that counts as ready was not ready in.
	Lacks string `json:"lacks,omitempty"`
	// Settles says that it becomes ready a minute later all the same.
	Settles bool `json:"settles,omitempty"`
	// Shared says, for a start, that the store also contained values of other runs.
	Shared bool   `json:"shared,omitempty"`
	Panic  *Panic `json:"panic,omitempty"` // that of the server as it answered
}

// Change is one change of the store, as the watch from revision 1 showed it.
type Change struct {
	At         float64 `json:"-"` // At of its record: set when a history is read
	Line       int     `json:"-"` // number of its line: set when a history is read
	Revision   int64   `json:"revision"`
	Key        string  `json:"key"`
	Deleted    bool    `json:"deleted,omitempty"`
	Created    int64   `json:"created,omitempty"` // the key's create revision
	Version    int64   `json:"version,omitempty"` // number of writes of the key since
	Size       int     `json:"size"`
	Value      string  `json:"value,omitempty"`    // digest
	Encoding   string  `json:"encoding,omitempty"` // protobuf, json, ...: see package storage
	APIVersion string  `json:"apiVersion,omitempty"`
	Kind       string  `json:"kind,omitempty"`
	// Provider and KeyName are the encryption provider of the value, and the name of the key.
	Provider string `json:"provider,omitempty"`
	KeyName  string `json:"keyName,omitempty"`
}

// Skip is a step that could not be played, and the reason.
type Skip struct {
	Line   int    `json:"-"` // number of its line: set when a history is read
	Step   int    `json:"step"`
	Reason string `json:"reason"`
}

// Outcome is how a run ended.
type Outcome string

// The outcomes. A history without an End was cut off: the run was killed.
const (
	Finished    Outcome = "finished"
	Interrupted Outcome = "interrupted"
	Failed      Outcome = "failed"
	// StoreFailed: a store ended by itself. The last answers of servers may be a consequence.
	StoreFailed Outcome = "store-failed"
)

// End is the last record.
type End struct {
	Outcome Outcome `json:"outcome"`
	// Digest is the hash of all lines before this one, as they are in the file: it detects a
	// later change that leaves a line valid. The writer sets it. Empty in histories of earlier
	// versions.
	Digest  string `json:"digest,omitempty"`
	Message string `json:"message,omitempty"`
}
