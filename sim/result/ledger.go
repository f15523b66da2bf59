package result

import "github.com/skewsim/skewsim/scenarios/term"

// LedgerVersion names the form of ledger.json.
const LedgerVersion = "skewsim.dev/ledger/v1"

// Ledger is the content of ledger.json: of every copy, which values were
// acknowledged and what became of them, row by row. Reports draw it; nothing
// in them is computed again.
type Ledger struct {
	SchemaVersion string `json:"schemaVersion"`
	// Lists tells how the elements of lists are told apart: by apiVersion/Kind of
	// the copies' kinds, then by the path of the list without the elements that
	// lead to it, the keys of a list-map; none of a set. Absent are lists whose
	// elements have no name but their place.
	Lists  map[string]map[string][]string `json:"lists,omitempty"`
	Copies []CopyLedger                   `json:"copies"`
}

// CopyLedger is the life of one copy.
type CopyLedger struct {
	Copy       string        `json:"copy"`
	Object     string        `json:"object"`
	Role       term.CopyRole `json:"role"`
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Fields     []Field       `json:"fields"`
	Rows       []Row         `json:"rows"`
	// State is the worst state any value of the copy ended in or passed through.
	State term.State `json:"state"`
}

// Field is one acknowledged value.
type Field struct {
	Path  string     `json:"path"`
	Value any        `json:"value"`
	Step  int        `json:"step"`  // whose answer acknowledged it; 0 if none did
	State term.State `json:"state"` // at the end
}

// Row is one thing that happened to a copy, or one edge of a stage, with what
// every live replica served and what etcd held after it.
type Row struct {
	Step  int    `json:"step"`
	Stage string `json:"stage"`
	// Title says what happened: "put by old-typed, read a, via b"; "LIST at the stage's edge".
	Title string `json:"title"`
	// Edge tells that the row only looked.
	Edge     bool       `json:"edge,omitempty"`
	Requests []Request  `json:"requests,omitempty"`
	Stored   *Stored    `json:"stored,omitempty"`
	Views    []View     `json:"views"`
	State    term.State `json:"state"` // the worst of the views'
}

// Request is one request of the row's step.
type Request struct {
	Method   string   `json:"method"`
	Path     string   `json:"path"`
	Replica  string   `json:"replica"`
	Version  string   `json:"version"`
	Code     int      `json:"code"`
	Sent     string   `json:"sent,omitempty"`   // digest of a blob of the history
	Answer   string   `json:"answer,omitempty"` // likewise
	Warnings []string `json:"warnings,omitempty"`
	Message  string   `json:"message,omitempty"`
}

// Stored is what etcd held after the row.
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
	// States holds the acknowledged values that are not kept, by path.
	States map[string]term.State `json:"states,omitempty"`
	State  term.State            `json:"state"`
	// Diff is what differs from the acknowledged values and, beyond them, from
	// what the same release served before.
	Diff []Difference `json:"diff,omitempty"`
}

// Difference is one value that differs. A side that is absent is nil and its
// flag false, so that an absent value and a null one stay apart.
type Difference struct {
	Path      string `json:"path"`
	Before    any    `json:"before,omitempty"`
	After     any    `json:"after,omitempty"`
	HadBefore bool   `json:"hadBefore"`
	HasAfter  bool   `json:"hasAfter"`
}
