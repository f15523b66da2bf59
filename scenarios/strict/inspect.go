package strict

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxDepth bounds how deep lists and maps nest in a document. The deepest built-in
// types nest about 20 deep, custom resources' schemas about 60.
const MaxDepth = 200

// Inspect reports what no document may contain, with its line: lists and maps that nest too
// deep, aliases, which may expand without end, and collections that JSON does not have.
func Inspect(n *yaml.Node, tell func(line int, text string)) { inspect(n, 0, tell) }

func inspect(n *yaml.Node, depth int, tell func(line int, text string)) {
	switch {
	case depth > MaxDepth:
		tell(n.Line, fmt.Sprintf("lists and maps nest more than %d deep", MaxDepth))
		return
	case n.Kind == yaml.AliasNode:
		tell(n.Line, fmt.Sprintf("alias %s: write the value out, aliases are not supported", Quote("*"+n.Value)))
		return
	case n.Anchor != "":
		tell(n.Line, fmt.Sprintf("anchor %s: write the value out, aliases are not supported", Quote("&"+n.Anchor)))
	case n.Kind != yaml.ScalarNode && !isPlainCollection(n):
		tell(n.Line, fmt.Sprintf("tag %s: only the plain types of JSON are supported", Quote(n.ShortTag())))
	}
	for _, child := range n.Content {
		inspect(child, depth+1, tell)
	}
}

func isPlainCollection(n *yaml.Node) bool {
	tag := n.ShortTag()
	return tag == "!!map" || tag == "!!seq"
}

// Keys yields the keys of a map with their nodes. It reports and leaves out keys that are not
// strings or occur twice.
func Keys(n *yaml.Node, tell func(line int, text string)) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, node *yaml.Node) bool) {
		first := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if why := noKey(key); why != "" {
				tell(key.Line, why)
				continue
			}
			if line, twice := first[key.Value]; twice {
				tell(key.Line, fmt.Sprintf("key %s is given twice, first in line %d", Quote(key.Value), line))
				continue
			}
			first[key.Value] = key.Line
			if !yield(key, n.Content[i+1]) {
				return
			}
		}
	}
}

// noKey returns why a node cannot be a key, or "" if it can.
func noKey(key *yaml.Node) string {
	switch {
	case key.Kind != yaml.ScalarNode:
		return What(key) + " as a key: keys are strings"
	case key.ShortTag() == "!!merge":
		return `merge key "<<": write the values out, aliases are not supported`
	case !IsString(key):
		return What(key) + " as a key: keys are strings, quote it"
	}
	return ""
}

// IsString reports whether the node is a string. A date counts as a string: YAML has dates,
// JSON does not.
func IsString(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && (tag == "!!str" || tag == "!!timestamp")
}

// Disputed returns why a plain word must be quoted: kubectl reads it as a boolean, and other
// parsers as a string. "": it need not be.
func Disputed(n *yaml.Node) string {
	words := []string{"yes", "no", "on", "off", "y", "n"}
	if !IsString(n) || n.Style != 0 || !slices.Contains(words, strings.ToLower(n.Value)) {
		return ""
	}
	return fmt.Sprintf("%q is a string in some versions of YAML and a boolean in others: quote it, or write true or false", n.Value)
}

// What returns what a node is, with its article.
func What(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return "the boolean " + n.Value
	case "!!str", "!!timestamp":
		return "the string " + Quote(n.Value)
	}
	return "a value tagged " + Quote(n.ShortTag())
}

// maxWord is how many characters of a user's text fit into an error.
const maxWord = 64

// Quote quotes the user's text, shortened to fit into an error.
func Quote(text string) string {
	if runes := []rune(text); len(runes) > maxWord {
		return fmt.Sprintf("%q...", string(runes[:maxWord]))
	}
	return fmt.Sprintf("%q", text)
}
