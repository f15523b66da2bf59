package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

const (
	// maxName is the longest name that every kind allows.
	maxName = 63
	// generatedLetters is how many letters a server adds to a generateName.
	generatedLetters = 5
)

// ObjectName returns the name of a copy's object: the copy's name in the plan's namespace. If
// its kind has no namespace, the scenario's name precedes it, or a hash of that name if both
// are too long, so that objects of two scenarios never share a name. The result ends in the
// copy's name. A file whose metadata.name has placeholders defines another form. If the server
// generates the name, the result is the part before the generated letters.
func (p *Plan) ObjectName(c Copy, namespaced bool) string {
	meta, _ := p.Manifests[c.Manifest].Body["metadata"].(map[string]any)
	pattern, _ := meta["name"].(string)
	if filled := p.fill(pattern, c, namespaced); filled != pattern {
		return filled
	}
	if p.Generated(c) {
		return p.plainName(c, namespaced) + "-"
	}
	return p.plainName(c, namespaced)
}

func (p *Plan) plainName(c Copy, namespaced bool) string {
	longest := maxName
	if p.Generated(c) {
		longest -= len("-") + generatedLetters
	}
	if whole := p.Scenario + "-" + c.Name; !namespaced && len(whole) <= longest {
		return whole
	}
	if namespaced {
		return c.Name
	}
	sum := sha256.Sum256([]byte(p.Scenario))
	return "s" + hex.EncodeToString(sum[:4]) + "-" + c.Name
}

// Generated reports whether servers name the copy's object: its file has a
// metadata.generateName, and no metadata.name, which takes precedence.
func (p *Plan) Generated(c Copy) bool {
	meta, _ := p.Manifests[c.Manifest].Body["metadata"].(map[string]any)
	base, _ := meta["generateName"].(string)
	return base != "" && meta["name"] == nil
}

// Names are the copies by the names of their objects, in the plan's namespace or in none. See
// Named.
func (p *Plan) Names(namespaced bool) map[string]string {
	all := make(map[string]string, len(p.Copies))
	for _, c := range p.Copies {
		all[p.ObjectName(c, namespaced)] = c.Name
	}
	return all
}

// Named returns the copy of an object by its name, unchanged or without the letters that a
// server added to a generateName.
func Named(names map[string]string, object string) (copy string, ok bool) {
	if copy, ok = names[object]; ok {
		return copy, !strings.HasSuffix(object, "-")
	}
	if base := max(0, len(object)-generatedLetters); strings.HasSuffix(object[:base], "-") {
		copy, ok = names[object[:base]]
	}
	return copy, ok
}

// Fill returns the value with the copy's own values for the placeholders in its text. It does
// not change the value itself.
func (p *Plan) Fill(value any, c Copy, namespaced bool) any {
	switch v := value.(type) {
	case map[string]any:
		filled := make(map[string]any, len(v))
		for key, member := range v {
			filled[p.fill(key, c, namespaced)] = p.Fill(member, c, namespaced)
		}
		return filled
	case []any:
		filled := slices.Clone(v)
		for i, item := range v {
			filled[i] = p.Fill(item, c, namespaced)
		}
		return filled
	case string:
		return p.fill(v, c, namespaced)
	}
	return value
}

func (p *Plan) fill(text string, c Copy, namespaced bool) string {
	if !strings.Contains(text, "$(copy.") {
		return text
	}
	return strings.NewReplacer(
		string(term.CopyName), p.plainName(c, namespaced),
		string(term.CopyNamespace), p.Namespace,
		string(term.CopyIP), addressOf(p.Scenario, c),
	).Replace(text)
}

// addressOf returns an address of the copy's own: half of it is a hash of the names of scenario
// and copy.
func addressOf(scenario string, c Copy) string {
	sum := sha256.Sum256([]byte(scenario + " " + c.Name))
	return netip.MustParseAddr(fmt.Sprintf("2001:db8::%x:%x:%x:%x", sum[0:2], sum[2:4], sum[4:6], sum[6:8])).String()
}
