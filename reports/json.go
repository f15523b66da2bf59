package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/sim/result"
)

// JSON writes result.json.
func JSON(w io.Writer, res result.Result) error {
	res = sealResult(res)
	filled(&res.Releases)
	filled(&res.Journey)
	filled(&res.Findings)
	filled(&res.Missing)
	filled(&res.Checks)
	filled(&res.Notes)
	filled(&res.Skipped)
	filled(&res.Builds)
	return writeJSON(w, "result.json", res)
}

// LedgerJSON writes ledger.json.
func LedgerJSON(w io.Writer, ledger result.Ledger) error {
	ledger = sealLedger(ledger)
	filled(&ledger.Copies)
	for i := range ledger.Copies {
		c := &ledger.Copies[i]
		filled(&c.Fields)
		filled(&c.Rows)
		for j := range c.Rows {
			filled(&c.Rows[j].Views)
		}
	}
	return writeJSON(w, "ledger.json", ledger)
}

// filled makes a nil slice an empty one, so that it is written as [] and a
// reader need not ask for null.
func filled[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}

// writeJSON writes a document for people and programs alike: indented, with
// < and & as they are, since no browser reads it as HTML.
func writeJSON(w io.Writer, name string, document any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(document); err != nil {
		return fmt.Errorf("%s: write: %w", name, err)
	}
	return nil
}
