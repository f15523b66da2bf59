package screen

import (
	"errors"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
)

// Proposals prints lines of expect in the form of a scenario file.
func Proposals(w io.Writer, lines []oracle.Proposal) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(w, "expect: []")
		return err
	}
	_, err := fmt.Fprintln(w, "expect:")
	for _, l := range lines {
		note := "for other pairs"
		if l.Findings > 0 {
			note = fmt.Sprintf("%s, the first in step %d", term.Numbered(l.Findings, "finding"), l.First)
		}
		_, printErr := fmt.Fprintf(w, "- %s # %s\n", l.Expectation.Flow(), note)
		err = errors.Join(err, printErr)
	}
	return err
}
