package history

import (
	"encoding/json"
	"time"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
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
	Operation *Operation `json:"operation,omitempty"`
	Listing   *Listing   `json:"listing,omitempty"`
	Change    *Change    `json:"change,omitempty"`
	Skip      *Skip      `json:"skip,omitempty"`
	End       *End       `json:"end,omitempty"`
}

// Header is the first record.
type Header struct {
	SchemaVersion string    `json:"schemaVersion"`
	Tool          string    `json:"tool"` // skewsim's own version
	Started       time.Time `json:"started"`
	// Salt makes the fingerprints that stand for Secrets' values in results
	// and reports useless to anyone who has only those.
	Salt string    `json:"salt"`
	Plan plan.Plan `json:"plan"`
}

// Blob is one body, recorded before the first record that refers to it.
type Blob struct {
	Digest string `json:"digest"`
	// JSON is an object a server served or a client sent, with sorted keys.
	JSON json.RawMessage `json:"json,omitempty"`
	// Bytes is a stored value, or a body that is not JSON.
	Bytes []byte `json:"bytes,omitempty"`
}

// Release is what a build said of itself before the roll-out.
type Release struct {
	Role      term.Role         `json:"role"`
	Reference string            `json:"reference"`
	Version   string            `json:"version"` // gitVersion of /version
	Digest    string            `json:"digest"`  // sha256 of the binary
	Gates     map[string]bool   `json:"gates,omitempty"`
	Schemas   map[string]string `json:"schemas"` // group/version -> file below schemas/
	Resources []Resource        `json:"resources"`
}

// Resource is one kind that a release serves, among those the plan uses.
type Resource struct {
	APIVersion   string   `json:"apiVersion"`
	Kind         string   `json:"kind"`
	Plural       string   `json:"plural"`
	Namespaced   bool     `json:"namespaced"`
	Subresources []string `json:"subresources,omitempty"`
}

// Stage tells that a stage of the plan began.
type Stage struct {
	Index int    `json:"index"`
	Name  string `json:"name"`
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
)

// Server is one event of one server.
type Server struct {
	Step    int         `json:"step"`
	Replica string      `json:"replica"`
	Role    term.Role   `json:"role"`
	Version string      `json:"version"`
	Event   ServerEvent `json:"event"`
	Seconds float64     `json:"seconds,omitempty"`
	Log     string      `json:"log,omitempty"` // relative to the run directory
	Message string      `json:"message,omitempty"`
}

// Purpose says why a request was sent.
type Purpose string

// The purposes of a request.
const (
	Prepare Purpose = "prepare" // make the namespace
	Read    Purpose = "read"    // the GET of a GET-PUT
	Act     Purpose = "act"     // the operation itself
	Look    Purpose = "look"    // a GET after a write, through every live replica
)

// Operation is one request about one copy, and its answer. A GET-PUT is two.
type Operation struct {
	Step     int         `json:"step"`
	Copy     string      `json:"copy,omitempty"`
	Purpose  Purpose     `json:"purpose"`
	Replica  string      `json:"replica"`
	Role     term.Role   `json:"role"`
	Client   term.Client `json:"client,omitempty"`
	Exchange Exchange    `json:"exchange"`
}

// Exchange is one HTTP request with its answer.
type Exchange struct {
	Method      string   `json:"method"`
	Path        string   `json:"path"`
	ContentType string   `json:"contentType,omitempty"`
	Sent        string   `json:"sent,omitempty"` // digest of the body
	Code        int      `json:"code"`           // 0: no answer, see Error
	Answer      string   `json:"answer,omitempty"`
	Revision    int64    `json:"revision,omitempty"` // the answer's resourceVersion
	Reason      string   `json:"reason,omitempty"`   // of a Status answer
	Message     string   `json:"message,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	Error       string   `json:"error,omitempty"` // transport
	Seconds     float64  `json:"seconds"`
}

// Succeeded tells whether the server answered with a 2xx.
func (e Exchange) Succeeded() bool { return e.Code >= 200 && e.Code < 300 }

// Listing is one LIST with what it held of the run's copies.
type Listing struct {
	Step       int       `json:"step"`
	Replica    string    `json:"replica"`
	Role       term.Role `json:"role"`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Exchange   Exchange  `json:"exchange"`
	Items      []Item    `json:"items,omitempty"`
}

// Item is one copy in a LIST.
type Item struct {
	Copy     string `json:"copy"`
	Answer   string `json:"answer"` // digest
	Revision int64  `json:"revision"`
}

// Change is one change of the store, as the watch from revision 1 showed it.
type Change struct {
	Revision   int64  `json:"revision"`
	Key        string `json:"key"`
	Deleted    bool   `json:"deleted,omitempty"`
	Created    int64  `json:"created,omitempty"` // the key's create revision
	Version    int64  `json:"version,omitempty"` // how often the key was written since
	Size       int    `json:"size"`
	Value      string `json:"value,omitempty"`    // digest
	Encoding   string `json:"encoding,omitempty"` // protobuf, json, ...: see package storage
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

// Skip is a step that could not be played, and why.
type Skip struct {
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
)

// End is the last record.
type End struct {
	Outcome Outcome `json:"outcome"`
	Message string  `json:"message,omitempty"`
}
