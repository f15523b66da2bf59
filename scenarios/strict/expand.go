package strict

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// maxExpanded bounds how many values the aliases of a document expand to: a few lines of
// aliases can exceed a machine's memory.
const maxExpanded = 100_000

// Expand replaces a document's aliases and merge keys with their values, as kubectl does before
// it sends an object. It reports an alias within its own anchor, a merge key without a map, and
// aliases that expand to too much.
func Expand(n *yaml.Node, tell func(line int, text string)) {
	x := expander{tell: tell, open: map[*yaml.Node]bool{}}
	x.expand(n, 0)
}

type expander struct {
	tell func(line int, text string)
	open map[*yaml.Node]bool // anchored values that are being copied
	made int
	over bool
}

// expand replaces a node in place. Inspect reports nodes that nest too deep.
func (x *expander) expand(n *yaml.Node, depth int) {
	if x.over || depth > MaxDepth {
		return
	}
	if n.Kind == yaml.AliasNode {
		x.alias(n, depth)
		return
	}
	if n.Anchor != "" {
		x.open[n] = true
		defer delete(x.open, n)
		n.Anchor = ""
	}
	for _, child := range n.Content {
		x.expand(child, depth+1)
	}
	if n.Kind == yaml.MappingNode {
		x.merge(n)
	}
}

func (x *expander) alias(n *yaml.Node, depth int) {
	target := n.Alias
	if target == nil || x.open[target] {
		x.tell(n.Line, fmt.Sprintf("alias %s is within its own anchor", Quote("*"+n.Value)))
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line}
		return
	}
	line := n.Line
	*n = *x.copied(target, line)
	x.open[target] = true
	x.expand(n, depth)
	delete(x.open, target)
}

// copied returns a copy of a node with everything below it, up to the limit.
func (x *expander) copied(n *yaml.Node, line int) *yaml.Node {
	c := *n
	c.Anchor, c.Content = "", nil
	if x.made++; x.made > maxExpanded {
		if !x.over {
			x.tell(line, fmt.Sprintf("aliases make more than %d values: write them out", maxExpanded))
		}
		x.over = true
		return &c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, x.copied(child, line))
	}
	return &c
}

// merge adds the members that a merge key names to a map, except those that it already has.
func (x *expander) merge(n *yaml.Node) {
	var own, from []*yaml.Node
	has := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!merge":
			own, has[key.Value] = append(own, key, value), true
		case value.Kind == yaml.SequenceNode:
			from = append(from, value.Content...)
		default:
			from = append(from, value)
		}
	}
	for _, m := range from {
		if m.Kind != yaml.MappingNode {
			x.tell(m.Line, `merge key "<<": it takes a map, or a list of maps`)
			continue
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			if key := m.Content[i]; !has[key.Value] {
				own, has[key.Value] = append(own, key, m.Content[i+1]), true
			}
		}
	}
	n.Content = own
}
