package fuzz

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// judge sets the verdict.
func (r *Result) judge() {
	broken := len(r.Violations())
	few := r.tooFew()
	switch {
	case broken > 0:
		r.Verdict, r.Reason = term.Fail, fmt.Sprintf("%s a rule", term.Counted(broken, "finding breaks", "findings break"))
	case r.Ended != "":
		r.Verdict, r.Reason = term.Unknown, r.partly()
	case len(few) > 0:
		r.Verdict, r.Reason = term.Unknown, "too few objects were accepted to say anything: "+strings.Join(few, "; ")
	case r.sent() == 0:
		r.Verdict, r.Reason = term.Unknown, "no object was sent"
	default:
		r.Verdict, r.Reason = term.Pass, "every value came back as it was acknowledged, except for expected impacts"
	}
}

// sent returns how many objects were sent, in all laps.
func (r *Result) sent() (n int) {
	for _, lap := range r.Laps {
		for _, k := range lap.Kinds {
			n += k.Objects
		}
	}
	return n
}

// tooFew lists the kinds of which less than half were accepted.
func (r *Result) tooFew() []string {
	var all []string
	for _, lap := range r.Laps {
		for _, k := range lap.Kinds {
			if len(k.Places) == 0 && r.servedInALap(k.Kind) {
				continue
			}
			if 2*k.Accepted < k.Objects || k.Objects == 0 {
				all = append(all, fmt.Sprintf("features %s: %d of %d %s", lap.Features, k.Accepted, k.Objects, k.Kind))
			}
		}
	}
	return all
}

// servedInALap reports whether some lap had a place for a kind: a gate that a lap switches
// may add the kind.
func (r *Result) servedInALap(kind string) bool {
	return slices.ContainsFunc(r.Laps, func(lap Lap) bool {
		return slices.ContainsFunc(lap.Kinds, func(k KindLap) bool { return k.Kind == kind && len(k.Places) > 0 })
	})
}

// Text writes a result for people.
func Text(w io.Writer, r Result) error {
	p := &printer{w: w}
	for _, lap := range r.Laps {
		p.line("features %s%s", lap.Features, inBrackets(r.Features))
		if len(lap.Followed) > 0 {
			p.line("  and with them, the gates that depend on them: %s", strings.Join(lap.Followed, ", "))
		}
		for _, k := range lap.Kinds {
			if len(k.Places) == 0 && k.Objects == 0 {
				p.line("  %s: neither release serves it in this lap", k.Kind)
				continue
			}
			p.line("  %s: %d of %s accepted, %d of them repaired; %s; in %s",
				k.Kind, k.Accepted, term.Numbered(k.Objects, "object"), k.Fixed, term.Numbered(k.Requests, "request"), strings.Join(k.Places, ", "))
			if k.Unfinished > 0 {
				p.line("    and %s unfinished", term.Counted(k.Unfinished, "journey was", "journeys were"))
			}
			for _, broken := range k.Broken {
				p.line("    cut short: %s", firstLine(broken))
			}
			for _, refusal := range k.Refusals {
				p.line("    given up: %s", firstLine(refusal))
			}
		}
	}
	p.findings("violations", r.Violations(), r)
	p.findings("impacts", slices.DeleteFunc(r.of(term.Impact), Finding.cleared), r)
	p.cleared(slices.DeleteFunc(r.of(term.Impact), func(f Finding) bool { return !f.cleared() }))
	p.unshared(r.Unshared)
	p.line("\n%s  %sseed %d%s\n  %s", strings.ToUpper(string(r.Verdict)), pairOf(r), r.Seed, only(r.Only), r.Reason)
	p.unsent(r)
	for _, lap := range r.Laps {
		for _, text := range lap.Once {
			p.line("  features %s, seen once, and not when the object travelled alone: %s", lap.Features, firstLine(text))
		}
	}
	p.ending(r)
	return p.err
}

func inBrackets(features []string) string {
	if len(features) == 0 {
		return ""
	}
	return " (" + strings.Join(features, ", ") + ")"
}

// pairOf names the releases; "" if the run ended before they could be asked.
func pairOf(r Result) string {
	if r.Old == "" {
		return ""
	}
	if r.Server != "" {
		return fmt.Sprintf("%s .. %s, on %s, ", r.Old, r.New, r.Server)
	}
	return r.Old + " .. " + r.New + ", "
}

func only(number *int) string {
	if number == nil {
		return ""
	}
	return fmt.Sprintf(", object %d only", *number)
}

// maxLine is how much of a server's words a text shows.
const maxLine = 600

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "..."
	}
	return text
}

// printer writes lines until a write fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, values ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", values...)
	}
}

// findings writes findings under a title: a violation with all that is needed to see it
// again.
func (p *printer) findings(title string, all []Finding, r Result) {
	for i, f := range all {
		if i == 0 {
			p.line("%s", title)
		}
		p.line("  %s  %s", f.Check, firstLine(f.Message))
		p.line("    %s, features %s", term.Counted(f.Objects, "object shows it", "objects show it"), strings.Join(f.Laps, " and "))
		if f.Class == term.Violation {
			p.line("    again: %s%s", r.Again(Object{f.Kind, f.First}), f.saved())
		}
	}
}

// cleared reports whether an impact is no effect of one release on the other: the server
// that accepted the object did not keep the value, and no conversion lost it.
func (f Finding) cleared() bool { return f.Class == term.Impact && f.Outcome == term.Dropped }

// cleared writes the values that servers did not keep, a line for each kind: most are
// values that every release clears, so that each one by itself says little.
func (p *printer) cleared(all []Finding) {
	paths := map[string][]string{}
	for i, f := range all {
		if i == 0 {
			p.line("not kept on create: write-only, cleared by the server, or behind a gate")
		}
		if !slices.Contains(paths[f.Kind], f.Path) {
			paths[f.Kind] = append(paths[f.Kind], f.Path)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(paths)) {
		p.line("  %s: %s", kind, strings.Join(slices.Sorted(slices.Values(paths[kind])), ", "))
	}
}

// saved names the file of a violation's object, and says whether a smaller one may show it.
func (f Finding) saved() string {
	switch {
	case f.File == "":
		return ""
	case f.Larger != "":
		return fmt.Sprintf("; an object that shows it: %s, perhaps not the smallest: %s", f.File, f.Larger)
	}
	return "; the smallest object that shows it: " + f.File
}
