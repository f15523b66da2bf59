package sweep

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Unconverted is a kind that a webhook converts whose rules no file has.
type Unconverted struct {
	Kind string `json:"kind"` // with its group: Widget.example.dev
	// Version is the one in which its objects were played, since it needs no conversion; "": none were.
	Version string `json:"version,omitempty"`
	// Differences are how many were left out.
	Differences int `json:"differences"`
}

// LeftOut returns the rows that need a webhook whose rules no file has, and that nobody has accepted.
func (r Result) LeftOut() (rows []Row) {
	for _, row := range r.Rows {
		if row.NeedsWebhook && row.Accepted == "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// ofUnconverted says which kinds were left out, wholly or in part; "": none.
func ofUnconverted(r Result) string {
	var kinds []string
	all := 0
	for _, u := range r.Unconverted {
		kinds, all = append(kinds, u.Kind), all+u.Differences
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%s not played, since a webhook converts the kind and no file has its rules (%s).",
		term.Counted(all, "further difference was", "further differences were"), strings.Join(kinds, ", "))
}
