package sweep

import (
	"fmt"
	"strings"
)

// Unconverted is a kind that a webhook converts, and for which a release has neither a program nor rules.
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
	return fmt.Sprintf("Not played: %d of them, since a webhook converts the kind and a release has neither a program nor rules for it (%s).", all, strings.Join(kinds, ", "))
}
