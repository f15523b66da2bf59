package history

import (
	"encoding/json"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// SchemaVersion names the form of history.jsonl.
const SchemaVersion = "skewsim.dev/history/v1"

// Record is one line of history.jsonl. Exactly one member beside N and At is set.
type Record struct {
	N         int        `json:"n"`  // its line, from 1: a gap means that records are missing
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

// NotForPublishing is what each history says of itself in its first line.
const NotForPublishing = "not for publishing: holds objects as they were, confidential values too"

// Header is the first record.
type Header struct {
	SchemaVersion string    `json:"schemaVersion"`
	Tool          string    `json:"tool"` // skewsim's own version
	Started       time.Time `json:"started"`
	// Confidential is NotForPublishing; "" in files of earlier versions, which are no less so.
	Confidential string `json:"confidential,omitempty"`
	// Salt makes the fingerprints that stand for confidential values in results
	// and reports useless to anyone who has only those.
	Salt string    `json:"salt"`
	Plan plan.Plan `json:"plan"`
	// Intents tells that each write has its intent recorded before it is sent. Files of
	// earlier versions have none: false.
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
	// Verbs are what the release does with it, in the API's own words: update is
	// PUT. Empty when it does not say.
	Verbs []string `json:"verbs,omitempty"`
	// StorageVersionHash stands for the version that the release says it stores
	// the kind in. Empty when it does not say.
	StorageVersionHash string `json:"storageVersionHash,omitempty"`
}

// Stage tells that a stage of the plan began.
type Stage struct {
	Index int     `json:"index"`
	Name  string  `json:"name"`
	At    float64 `json:"-"` // of its record: set where a history is read
	Line  int     `json:"-"` // of the file, likewise
}

// ServerEvent is a turn in a server's life.
type ServerEvent string

// The events of a server.
const (
	Starting ServerEvent = "starting"
	Ready    ServerEvent = "ready"   // Seconds: from exec to ready
	Serving  ServerEvent = "serving" // it takes its replica's traffic from here
	Draining ServerEvent = "draining"
	Stopped  ServerEvent = "stopped" // Seconds: from the request to stop
	Died     ServerEvent = "died"    // it ended without being asked
	Unready  ServerEvent = "unready" // it was not ready in time, and killed; that says nothing of why
	// EndedEarly: executed ahead of its turn and held off the store, it ended without
	// being asked. It may have ended of being held, and is executed again.
	EndedEarly ServerEvent = "ended-early"
	// Tripped: one of the servers that are first over an empty store, all at once, it
	// ended without being asked. Nothing was stored yet, and it is executed again.
	Tripped ServerEvent = "tripped"
)

// Server is one event of one server.
type Server struct {
	At      float64     `json:"-"` // of its record: set where a history is read
	Line    int         `json:"-"` // of the file, likewise
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
	// Lacks says of a server that counts as ready what it was not ready in, and why:
	// it does not read some of what is stored.
	Lacks string `json:"lacks,omitempty"`
	// Shared tells of a server that is ready that other runs' kinds are stored there too:
	// what slowed it may be theirs.
	Shared bool `json:"shared,omitempty"`
	// Installed is what came of each manifest that a release of manifests gave the
	// server before it was ready.
	Installed []Installed `json:"installed,omitempty"`
	// Killed tells of a server that died that somebody else killed it (SIGKILL:
	// the kernel short of memory, or a person): no call did.
	Killed bool `json:"killed,omitempty"`
}

// Installed is what came of one manifest that a server was given.
type Installed struct {
	Kind    string   `json:"kind,omitempty"`    // of the manifest
	Name    string   `json:"name"`              // metadata.name
	Code    int      `json:"code"`              // of the answer; a 4xx leaves what was there
	Message string   `json:"message,omitempty"` // of a refusal
	Stored  []string `json:"stored,omitempty"`  // status.storedVersions after it
	// Versions are those that the manifest has.
	Versions []string `json:"versions,omitempty"`
}

// Purpose says why a request was sent.
type Purpose string

// The purposes of a request.
const (
	Prepare Purpose = "prepare" // make the namespace
	Rewrite Purpose = "rewrite" // write an object that an earlier leg left again, as it is
	Read    Purpose = "read"    // the GET before a write that sends back what was read
	Act     Purpose = "act"     // the operation itself
	Look    Purpose = "look"    // a GET after a write, through every live replica
	Try     Purpose = "try"     // a dry run, at a stage's edge: can the object still be written?
	Probe   Purpose = "probe"   // a dry run with a made-up field, after a 5xx: does any unknown field give it?
	Bare    Purpose = "bare"    // a dry-run create without what a write was to remove and did not: is it a default?
)

// Intent is a write that is about to be sent: what it does may be seen before its answer
// is. The Operation that is equal to it in all of these closes it.
type Intent struct {
	Line    int     `json:"-"` // of the file: set where a history is read
	Step    int     `json:"step"`
	Copy    string  `json:"copy,omitempty"`
	Purpose Purpose `json:"purpose"`
	Turn    int     `json:"turn,omitempty"`
}

// Intent is the operation's, whether or not one was recorded.
func (o Operation) Intent() Intent {
	return Intent{Step: o.Step, Copy: o.Copy, Purpose: o.Purpose, Turn: o.Turn}
}

// Operation is one request about one copy, and its answer. A GET-PUT is two.
type Operation struct {
	At      float64     `json:"-"` // of its record: set where a history is read
	Line    int         `json:"-"` // of the file, likewise
	Step    int         `json:"step"`
	Copy    string      `json:"copy,omitempty"`
	Purpose Purpose     `json:"purpose"`
	Replica string      `json:"replica"`
	Role    term.Role   `json:"role"`
	Client  term.Client `json:"client,omitempty"`
	// Turn counts the repetitions of a read and its write after a conflict,
	// from 0. The last one's answer is what the operation came to.
	Turn int `json:"turn,omitempty"`
	// Attempt says what a try tries. For the copies that stand in for others,
	// see For.
	Attempt term.Attempt `json:"attempt,omitempty"`
	// For are the other copies that a try speaks for: those whose stored
	// content differs from this copy's in nothing but its name.
	For []string `json:"for,omitempty"`
	// Follows is the version that a look or a try went through, where the release serves
	// the copy's resource, and not in the copy's own version: see Release.Follows.
	Follows  string   `json:"follows,omitempty"`
	Exchange Exchange `json:"exchange"`
	// Undecoded is why the client's types could not read a 2xx answer, or an item
	// of a LIST's. Of a read, the write that was to send it back was not made:
	// this is then what the operation came to, and it has no act of its own.
	Undecoded string `json:"undecoded,omitempty"`
}

// Done tells whether the client got what it asked for: a 2xx that it could
// read. To a client, an answer that its types cannot decode is a failed call.
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
	// SentBytes and AnswerBytes are the digests of bodies that went as
	// protobuf; Sent and Answer are then what the client's types make of them.
	SentBytes   string   `json:"sentBytes,omitempty"`
	AnswerBytes string   `json:"answerBytes,omitempty"`
	Revision    int64    `json:"revision,omitempty"` // the answer's resourceVersion
	Reason      string   `json:"reason,omitempty"`   // of a Status answer
	Message     string   `json:"message,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	Error       string   `json:"error,omitempty"` // transport
	Seconds     float64  `json:"seconds"`
	// Panic is that of the server while it answered, as its log has it; nil: none.
	Panic *Panic `json:"panic,omitempty"`
}

// Succeeded tells whether the server answered with a 2xx.
func (e Exchange) Succeeded() bool { return e.Code >= 200 && e.Code < 300 }

// Listing is one LIST with what it held of the run's copies.
type Listing struct {
	At         float64   `json:"-"` // of its record: set where a history is read
	Line       int       `json:"-"` // of the file, likewise
	Step       int       `json:"step"`
	Replica    string    `json:"replica"`
	Role       term.Role `json:"role"`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	// Form says how it asked. Default, in the histories of earlier versions:
	// consistent.
	Form  term.ListForm `json:"form,omitempty"`
	Pages int           `json:"pages,omitempty"` // of a paged LIST: how many were answered
	// FieldSelector is what it selected by; "": it holds all. Beside one that
	// selects stands one of the same step, of the same revision, that does not.
	FieldSelector string `json:"fieldSelector,omitempty"`
	// Exchange is that of the first page, or of the page that failed.
	Exchange Exchange `json:"exchange"`
	Items    []Item   `json:"items,omitempty"`
}

// Item is one copy in a LIST.
type Item struct {
	Copy     string `json:"copy"`
	Answer   string `json:"answer"` // digest
	Revision int64  `json:"revision"`
}

// WatchEvent is a turn in a watch's life, or what it told.
type WatchEvent string

// The events of a watch.
const (
	WatchOpened   WatchEvent = "opened" // Revision: from which on; once more when the server had ended it
	WatchAdded    WatchEvent = "added"  // the server's words, from here on
	WatchModified WatchEvent = "modified"
	WatchDeleted  WatchEvent = "deleted"
	WatchBookmark WatchEvent = "bookmark"
	WatchError    WatchEvent = "error"  // an ERROR event: Code, Reason and Message of its Status
	WatchClosed   WatchEvent = "closed" // Message says why, when the run did not close it
)

// Watch is one event of one WATCH of one kind through one replica.
type Watch struct {
	At   float64 `json:"-"` // of its record: set where a history is read
	Line int     `json:"-"` // of the file, likewise
	// Step is the step that opened the watch, and names it together with
	// replica, apiVersion and kind.
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
	Panic      *Panic     `json:"panic,omitempty"` // of error and closed: that of the server
}

// TrialKind says what a trial tries.
type TrialKind string

// The trials of a scratch store.
const (
	TrialStart TrialKind = "start" // a server starts over the values; Seconds: until it is ready
	TrialGet   TrialKind = "get"
	TrialList  TrialKind = "list"
	TrialWatch TrialKind = "watch"
)

// Trial is one attempt of a release to read recorded values: a scratch store
// holds them under their own keys, and a server of the release, started as the
// replicas are, serves them.
type Trial struct {
	At         float64       `json:"-"` // of its record: set where a history is read
	Line       int           `json:"-"` // of the file, likewise
	Step       int           `json:"step"`
	Role       term.Role     `json:"role"`
	Trial      TrialKind     `json:"trial"`
	APIVersion string        `json:"apiVersion,omitempty"` // empty for start
	Kind       string        `json:"kind,omitempty"`
	Form       term.ListForm `json:"form,omitempty"`     // of list
	Copy       string        `json:"copy,omitempty"`     // of get
	Key        string        `json:"key,omitempty"`      // of get
	Value      string        `json:"value,omitempty"`    // of get: digest of the stored bytes
	Revision   int64         `json:"revision,omitempty"` // of get: at which the shared store held them
	Values     int           `json:"values,omitempty"`   // how many values the store held
	Code       int           `json:"code,omitempty"`     // 0: no answer, or of start: ready
	Answer     string        `json:"answer,omitempty"`   // of get: digest of the object
	// Missing are the copies that a list or a watch did not show.
	Missing []string `json:"missing,omitempty"`
	// GaveUp tells that what is missing was waited for, and no longer: it may
	// only have been late. Nothing is told of it then.
	GaveUp  bool   `json:"gaveUp,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Error is why there was no answer, or why the server did not start.
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"`
	Log     string  `json:"log,omitempty"` // of start: relative to the run directory
	// Lacks says of a start what the server, which counts as ready, was not ready in.
	Lacks string `json:"lacks,omitempty"`
	// Shared tells of a start that the store held other runs' values too.
	Shared bool   `json:"shared,omitempty"`
	Panic  *Panic `json:"panic,omitempty"` // that of the server as it answered
}

// Change is one change of the store, as the watch from revision 1 showed it.
type Change struct {
	At         float64 `json:"-"` // of its record: set where a history is read
	Line       int     `json:"-"` // of the file, likewise
	Revision   int64   `json:"revision"`
	Key        string  `json:"key"`
	Deleted    bool    `json:"deleted,omitempty"`
	Created    int64   `json:"created,omitempty"` // the key's create revision
	Version    int64   `json:"version,omitempty"` // how often the key was written since
	Size       int     `json:"size"`
	Value      string  `json:"value,omitempty"`    // digest
	Encoding   string  `json:"encoding,omitempty"` // protobuf, json, ...: see package storage
	APIVersion string  `json:"apiVersion,omitempty"`
	Kind       string  `json:"kind,omitempty"`
	// Provider and KeyName say what encrypted the value, and the name of the key.
	Provider string `json:"provider,omitempty"`
	KeyName  string `json:"keyName,omitempty"`
}

// Skip is a step that could not be played, and why.
type Skip struct {
	Line   int    `json:"-"` // of the file: set where a history is read
	Step   int    `json:"step"`
	Reason string `json:"reason"`
}

// Outcome says how a run ended.
type Outcome string

// The outcomes. A history without an End was cut off: the run was killed.
const (
	Finished    Outcome = "finished"
	Interrupted Outcome = "interrupted"
	Failed      Outcome = "failed"
	// StoreFailed: a store ended by itself. What servers answered last may be for want
	// of it.
	StoreFailed Outcome = "store-failed"
)

// End is the last record.
type End struct {
	Outcome Outcome `json:"outcome"`
	// Digest sums up all lines before this one, as they are in the file: what
	// is changed later, without a trace in its line, is told by it. The writer
	// sets it. Empty: the history is of an earlier version.
	Digest  string `json:"digest,omitempty"`
	Message string `json:"message,omitempty"`
}
