package diff

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Text writes the differences of a result by their kind, then what was not compared.
func Text(w io.Writer, r Result) error {
	last := term.DifferenceKind("")
	for _, d := range r.Differences {
		if d.Difference != last {
			fmt.Fprintf(w, "%s: %s\n", d.Difference, term.DifferenceKinds().Meaning(d.Difference))
			last = d.Difference
		}
		fmt.Fprintln(w, "  "+term.Visible(d.String()))
	}
	for _, reason := range r.NotCompared {
		fmt.Fprintln(w, "not compared:", term.Visible(reason))
	}
	_, err := fmt.Fprintln(w, term.Visible(fmt.Sprintf("%s and %s: %s", named(r.Old, r.OldVersion), named(r.New, r.NewVersion), r.summary())))
	return err
}

// named returns a release with the version that it reports, if its name does not contain that.
func named(name, version string) string {
	if version == "" || strings.Contains(name, version) {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, version)
}

func (r Result) summary() string {
	played := 0
	for _, d := range r.Differences {
		if d.Playable {
			played++
		}
	}
	if len(r.Differences) == 0 {
		return "no difference"
	}
	return fmt.Sprintf("%s, %d of them in what is stored", term.Numbered(len(r.Differences), "difference"), played)
}

// String returns a difference as one line of text, without its kind.
func (d Difference) String() string {
	parts := []string{d.place()}
	if change := d.change(); change != "" {
		parts = append(parts, change)
	}
	if more := len(d.Places) - 1; more > 0 && !d.Difference.IsGate() {
		parts = append(parts, fmt.Sprintf("and %s", term.Numbered(more, "other place")))
	}
	if gates := d.gateWords(); gates != "" {
		parts = append(parts, gates)
	}
	return strings.Join(parts, "; ")
}

// place returns where a difference is, and what it is named by.
func (d Difference) place() string {
	var words []string
	if d.Kind != "" {
		words = append(words, d.apiVersion(), d.Kind)
	} else if d.Group != "" {
		words = append(words, d.Group)
	}
	if d.Path != "" {
		words = append(words, d.Path)
	}
	if d.Name != "" {
		words = append(words, oneLine(d.Name))
	}
	return strings.Join(words, " ")
}

func (d Difference) apiVersion() string { return strings.TrimPrefix(d.Group+"/"+d.Version, "/") }

// change returns what each release says, unless the name says it.
func (d Difference) change() string {
	old, new := oneLine(d.Old), oneLine(d.New)
	switch {
	case old == new, old+new == oneLine(d.Name):
		return ""
	case old == "":
		return new
	case new == "":
		return "was " + old
	}
	return old + " -> " + new
}

// gateWords returns the gates that a difference is behind; those of a gate's own difference are
// its name.
func (d Difference) gateWords() string {
	if d.Difference.IsGate() {
		if n := len(d.Places); n > 0 {
			return term.Numbered(n, "field") + " behind it, such as " + d.Places[0].Kind + " " + d.Places[0].Path
		}
		return ""
	}
	var all []string
	for _, g := range d.Gates {
		state := cmp.Or(g.New.String(), g.Old.String(), "unknown")
		all = append(all, fmt.Sprintf("%s (%s)", g.Name, state))
	}
	if len(all) == 0 {
		return ""
	}
	return "behind " + strings.Join(all, " and ")
}

// maxText is how many characters of a rule one line shows.
const maxText = 160

// oneLine returns a text on one line, and cuts off what is too long for one.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "..."
	}
	return text
}
