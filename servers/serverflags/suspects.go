package serverflags

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Suspects returns what may keep a server from starting with options, of which it refuses a part already: each
// flag and each element of it alone, then all flags together. What the last lines of its log name comes first.
func Suspects(o servers.Options, refused []Refusal, tail []string) (all [][]Refusal) {
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
	text := strings.Join(tail, "\n")
	alone := slices.Concat(single, flags)
	slices.SortStableFunc(alone, func(a, b Refusal) int { return cmp.Compare(a.unnamed(text), b.unnamed(text)) })
	for _, r := range alone {
		all = append(all, []Refusal{r})
	}
	if len(flags) > 1 {
		all = append(all, flags)
	}
	return all
}

// unnamed is 0 for what a text names, else 1.
func (r Refusal) unnamed(text string) int {
	if strings.Contains(text, cmp.Or(r.Element, r.Flag)) {
		return 0
	}
	return 1
}

// Ends returns suspects with which a server ended when it started, and without which it starts, with the line
// of its log that is about them.
func Ends(b servers.Build, suspects []Refusal, tail []string) (all []Refusal) {
	const most = 300
	line := ""
	for _, text := range tail {
		if text = strings.TrimPrefix(strings.TrimSpace(text), "Error: "); text != "" {
			line = text
		}
		if strings.Contains(text, suspects[0].Flag) {
			break
		}
	}
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	for _, r := range suspects {
		what := "--" + r.Flag
		if r.Element != "" {
			what += "=" + r.Element
		}
		if len(suspects) > 1 {
			what += " and the other flags"
		}
		r.Message = b.Component + " " + b.Version + " does not start with " + what + ", and starts without: " + line
		all = append(all, r)
	}
	return all
}
