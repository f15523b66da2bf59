package serverflags

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Suspects returns what may keep a server from starting with options, of which it refuses a part already: each
// element of a flag and each flag alone. What the last lines of its log name comes first.
func Suspects(o servers.Options, refused []Refusal, tail []string) []Refusal {
	o = Without(o, refused)
	var single, flags []Refusal
	for _, elements := range []struct {
		flag string
		of   map[string]bool
	}{{featureGates, o.FeatureGates}, {runtimeConfig, o.RuntimeConfig}} {
		for _, name := range slices.Sorted(maps.Keys(elements.of)) {
			single = append(single, Refusal{Flag: elements.flag, Element: name})
		}
		if len(elements.of) > 0 {
			flags = append(flags, Refusal{Flag: elements.flag})
		}
	}
	if o.ServiceIPRange != "" {
		flags = append(flags, Refusal{Flag: serviceRangeFlag})
	}
	for _, flag := range o.Flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		flags = append(flags, Refusal{Flag: name})
	}
	alone := slices.Concat(single, flags)
	slices.SortStableFunc(alone, func(a, b Refusal) int { return cmp.Compare(a.unnamed(tail), b.unnamed(tail)) })
	return alone
}

// unnamed is 0 for what lines name, else 1.
func (r Refusal) unnamed(lines []string) int {
	if r.Named(lines) {
		return 0
	}
	return 1
}

// Named reports whether lines of a log name the flag, or its element.
func (r Refusal) Named(lines []string) bool {
	return strings.Contains(strings.Join(lines, "\n"), cmp.Or(r.Element, r.Flag))
}

// Ended returns a suspect as what a server of a build does not start with, with the line of its log that is about
// it.
func (r Refusal) Ended(b servers.Build, tail []string) Refusal {
	const most = 300
	line := ""
	for _, text := range tail {
		if text = strings.TrimPrefix(strings.TrimSpace(text), "Error: "); text != "" {
			line = text
		}
		if r.Named([]string{text}) {
			break
		}
	}
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	what := "--" + r.Flag
	if r.Element != "" {
		what += "=" + r.Element
	}
	r.Message = b.Component + " " + b.Version + " does not start with " + what + ": " + line
	return r
}
