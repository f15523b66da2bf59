package plan

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// choice is a combination of a line's words before a stage gives it replicas.
type choice struct {
	verb            term.Verb
	client          term.Client
	read, via       scenarios.Target
	change          term.Change
	encoding        term.Encoding
	fieldValidation term.FieldValidation
	apiVersion      string
	fieldSelector   string
	manager         string
	force           bool
	// changes are those of the line's object.
	changes map[term.Change]map[string]any
	unfit   string // why no stage can play it
}

// choices are the line's combinations. A list multiplies only the verbs and
// clients for which its words make a difference: what read says, those verbs
// that read; an encoding, those clients that have another than JSON.
func choices(line scenarios.Line) []choice {
	all := []choice{{}}
	all = multiply(all, func(choice) []term.Verb { return verbsOf(line) }, func(c *choice, v term.Verb) { c.verb = v })
	all = multiply(all, func(choice) []term.Client { return line.Client }, func(c *choice, v term.Client) { c.client = v })
	for i, c := range all {
		all[i].unfit = c.verb.Unfit(c.client)
	}
	all = multiply(all, func(c choice) []term.Encoding { return c.encodings(line) }, func(c *choice, v term.Encoding) { c.encode(v) })
	all = multiply(all, func(c choice) []term.Change { return c.changesOf(line) }, func(c *choice, v term.Change) { c.change = v })
	all = multiply(all, func(c choice) []string { return c.managers(line) }, func(c *choice, v string) { c.manager = v })
	all = multiply(all, func(choice) []term.FieldValidation { return orNone(line.FieldValidation) },
		func(c *choice, v term.FieldValidation) { c.fieldValidation = v })
	all = multiply(all, func(choice) []string { return orNone(line.APIVersion) }, func(c *choice, v string) { c.apiVersion = v })
	all = multiply(all, func(choice) []string { return orNone(line.FieldSelector) }, func(c *choice, v string) { c.fieldSelector = v })
	all = multiply(all, func(choice) []scenarios.Target { return line.Via }, func(c *choice, v scenarios.Target) { c.via = v })
	all = multiply(all, func(c choice) []scenarios.Target { return readsOf(line, c.verb, c.via) },
		func(c *choice, v scenarios.Target) { c.read = v })
	for i, c := range all {
		all[i].force = c.manager != "" && (line.Force == nil || *line.Force)
	}
	return all
}

// multiply makes of each choice one for each word. It reports a choice that cannot be played
// once, and does not multiply it.
func multiply[W any](all []choice, words func(choice) []W, set func(*choice, W)) []choice {
	var product []choice
	for _, c := range all {
		list := words(c)
		if c.unfit != "" && len(list) > 1 {
			list = list[:1]
		}
		for _, word := range list {
			one := c
			set(&one, word)
			product = append(product, one)
		}
	}
	return product
}

// orNone is the list, or one zero word where nothing is listed.
func orNone[W any](list []W) []W {
	if len(list) == 0 {
		return make([]W, 1)
	}
	return list
}

func verbsOf(line scenarios.Line) []term.Verb {
	switch {
	case line.Get != "":
		return []term.Verb{term.Get}
	case line.List != "":
		return []term.Verb{term.ListAll}
	case line.Patch != "":
		return []term.Verb{line.Type.Verb()}
	}
	return line.Verb
}

func readsOf(line scenarios.Line, verb term.Verb, via scenarios.Target) []scenarios.Target {
	if !verb.Reads() {
		return []scenarios.Target{""}
	}
	if len(line.Read) == 0 {
		return []scenarios.Target{via}
	}
	return line.Read
}

// encodings are the line's words that the choice can tell apart: one that has
// no protobuf is asked for JSON, unless the line wants nothing but protobuf.
func (c choice) encodings(line scenarios.Line) []term.Encoding {
	if term.Protobuf.Unfit(c.verb, c.client) != "" && slices.Contains(line.Encoding, term.JSON) {
		return []term.Encoding{term.JSON}
	}
	return orNone(line.Encoding)
}

// encode gives the choice its encoding, or says why it has none of that kind.
func (c *choice) encode(e term.Encoding) {
	if c.unfit == "" {
		c.unfit = e.Unfit(c.verb, c.client)
	}
	if e == term.Protobuf { // the default has no word
		c.encoding = e
	}
}

// changesOf returns the changes of the line; verbs that carry none are played once.
func (c choice) changesOf(line scenarios.Line) []term.Change {
	if !c.verb.Carries() {
		return []term.Change{""}
	}
	return orNone(line.Change)
}

func (c choice) managers(line scenarios.Line) []string {
	switch {
	case !c.verb.Applies():
		return []string{""}
	case len(line.Manager) == 0:
		return []string{DefaultManager}
	}
	return line.Manager
}
