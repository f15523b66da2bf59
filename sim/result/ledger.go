package result

import "github.com/skewsim/skewsim/scenarios/term"

// LedgerVersion is the version of ledger.json's format.
const LedgerVersion = "skewsim.dev/ledger/v2"

// Ledger is the content of ledger.json: for every copy, the acknowledged values and what
// happened to them, row by row. Reports draw it and compute nothing again.
type Ledger struct {
	SchemaVersion string `json:"schemaVersion"`
	// Lists are the keys that identify the elements of lists: by apiVersion/Kind of the copies'
	// kinds, then by the path of the list without the elements on the way, the keys of a
	// list-map; a set has no keys. Lists whose elements are identified only by index are
	// absent.
	Lists  map[string]map[string][]string `json:"lists,omitempty"`
	Copies []CopyLedger                   `json:"copies"`
}

// CopyLedger is the ledger of one copy.
type CopyLedger struct {
	Copy       string        `json:"copy"`
	Object     string        `json:"object"`
	Role       term.CopyRole `json:"role"`
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Fields     []Field       `json:"fields"`
	Rows       []Row         `json:"rows"`
	// Outcome is the worst state that any value of the copy has had.
	Outcome term.Outcome `json:"outcome"`
}

// Field is one acknowledged value.
type Field struct {
	Path    string       `json:"path"`
	Value   any          `json:"value"`
	Step    int          `json:"step"`    // whose answer acknowledged it; 0 if none did
	Outcome term.Outcome `json:"outcome"` // at the end
}

// Row is one event of a copy, or the edge of a stage, with what every live replica served and
// what etcd contained after it.
type Row struct {
	Step  int    `json:"step"`
	Stage string `json:"stage"`
	// Title describes the event: "put by old-typed, read a, via b"; "LIST at the stage's edge".
	Title string `json:"title"`
	// Edge says that the row only observed.
	Edge     bool         `json:"edge,omitempty"`
	Requests []Request    `json:"requests,omitempty"`
	Stored   *Stored      `json:"stored,omitempty"`
	Views    []View       `json:"views"`
	Outcome  term.Outcome `json:"outcome"` // the worst of the views'
}

// Request is one request of the row's step.
type Request struct {
	Method   string   `json:"method"`
	Path     string   `json:"path"`
	Replica  string   `json:"replica"`
	Version  string   `json:"version"`
	Code     int      `json:"code"`
	Sent     string   `json:"sent,omitempty"`   // digest of a blob of the history
	Answer   string   `json:"answer,omitempty"` // digest of a blob of the history
	Warnings []string `json:"warnings,omitempty"`
	Message  string   `json:"message,omitempty"`
	// StatusCauses are the errors of a refusal.
	StatusCauses []StatusCause `json:"statusCauses,omitempty"`
}

// Stored is what etcd contained after the row.
type Stored struct {
	Revision   int64  `json:"revision"`
	Encoding   string `json:"encoding"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Size       int    `json:"size"`
	Value      string `json:"value,omitempty"` // digest of a blob of the history
	Deleted    bool   `json:"deleted,omitempty"`
}

// View is what one replica served after the row.
type View struct {
	Replica string    `json:"replica"`
	Role    term.Role `json:"role"`
	Version string    `json:"version"`
	Code    int       `json:"code"`
	Answer  string    `json:"answer,omitempty"` // digest of a blob of the history
	Message string    `json:"message,omitempty"`
	// Outcomes are the acknowledged values that are not kept, by path.
	Outcomes map[string]term.Outcome `json:"outcomes,omitempty"`
	Outcome  term.Outcome            `json:"outcome"`
	// Diff lists what differs from the acknowledged values and, for other values, from what the
	// same release served before.
	Diff []Difference `json:"diff,omitempty"`
}

// Difference is one value that differs. An absent side is nil with its flag false, which
// distinguishes an absent value from null.
type Difference struct {
	Path      string `json:"path"`
	Before    any    `json:"before,omitempty"`
	After     any    `json:"after,omitempty"`
	HadBefore bool   `json:"hadBefore"`
	HasAfter  bool   `json:"hasAfter"`
}
