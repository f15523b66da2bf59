package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
)

// ChainJSON writes chain.json.
func ChainJSON(w io.Writer, v chain.Verdict) error {
	return document.WriteJSON(w, "chain.json", v)
}

// JSON writes result.json.
func JSON(w io.Writer, res result.Result) error {
	res = view.SealedResult(res)
	document.Filled(&res.Releases)
	document.Filled(&res.Journey)
	document.Filled(&res.Findings)
	document.Filled(&res.Missing)
	document.Filled(&res.Checks)
	document.Filled(&res.Notes)
	document.Filled(&res.Skipped)
	document.Filled(&res.Builds)
	return document.WriteJSON(w, "result.json", res)
}

// LedgerJSON writes ledger.json with a line for each copy: a large run's has hundreds of
// megabytes, which neither skewsim nor a reader should have to hold or indent at once.
func LedgerJSON(w io.Writer, ledger result.Ledger) error {
	copies := ledger.Copies
	ledger.Copies = []result.CopyLedger{}
	head, err := inLine(ledger)
	if err != nil {
		return fmt.Errorf("ledger.json: %w", err)
	}
	if _, err := w.Write(bytes.TrimSuffix(head, []byte("]}"))); err != nil {
		return fmt.Errorf("ledger.json: write: %w", err)
	}
	for i, c := range copies {
		if err := writeCopy(w, i, c); err != nil {
			return fmt.Errorf("ledger.json: write: %w", err)
		}
	}
	if _, err := io.WriteString(w, "\n]}\n"); err != nil {
		return fmt.Errorf("ledger.json: write: %w", err)
	}
	return nil
}

func writeCopy(w io.Writer, i int, c result.CopyLedger) error {
	separator := ",\n"
	if i == 0 {
		separator = "\n"
	}
	if _, err := io.WriteString(w, separator); err != nil {
		return err
	}
	c = view.SealedLedger(result.Ledger{Copies: []result.CopyLedger{c}}).Copies[0]
	c.Rows = slices.Clone(c.Rows) // the caller's slice stays as it is
	document.Filled(&c.Fields)
	document.Filled(&c.Rows)
	for j := range c.Rows {
		document.Filled(&c.Rows[j].Views)
	}
	line, err := inLine(c)
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return err
}

// inLine returns a value as JSON in one line, as document.WriteJSON has it.
func inLine(value any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return term.VisibleJSON(bytes.TrimRight(line.Bytes(), "\n")), nil
}

// MergedJSON writes merged.json.
func MergedJSON(w io.Writer, m result.Merged) error {
	document.Filled(&m.Runs)
	document.Filled(&m.Notes)
	return document.WriteJSON(w, "merged.json", m)
}
