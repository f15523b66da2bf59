package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Markdown writes the differences of a result as one table for each kind of them.
func Markdown(w io.Writer, r Result) error {
	fmt.Fprintf(w, "# %s and %s\n\n%s.\n", cell(named(r.Old, r.OldVersion)), cell(named(r.New, r.NewVersion)), r.summary())
	last := term.DifferenceKind("")
	for _, d := range r.Differences {
		if d.Difference != last {
			fmt.Fprintf(w, "\n## %s\n\n%s.\n\n| where | old | new | gates |\n| --- | --- | --- | --- |\n", d.Difference, upper(term.DifferenceKinds().Meaning(d.Difference)))
			last = d.Difference
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", cell(d.place()), cell(d.Old), cell(d.New), cell(strings.TrimPrefix(d.gateWords(), "behind ")))
	}
	_, err := fmt.Fprintf(w, "\n## Not compared\n\n")
	for _, reason := range r.NotCompared {
		_, err = fmt.Fprintf(w, "- %s\n", cell(reason))
	}
	return err
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// markup are the characters that would be read as Markdown or HTML.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "#", `\#`)

// cell returns a text for a cell of a table.
func cell(text string) string { return markup.Replace(term.Visible(oneLine(text))) }
