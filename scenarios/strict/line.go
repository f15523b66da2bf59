package strict

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Line returns the line of a field, as servers name it: spec.containers[0].image,
// metadata.labels[a.b/c]. For a field that the document does not contain, it returns the line
// of the nearest parent that it contains.
func Line(n *yaml.Node, field string) int {
	line, _ := lineOf(n, path.Members(field))
	return max(line, n.Line)
}

// lineOf returns the line of the node that the names lead to, and how many of the names the
// document has. If no index leads into a list, as in errors of Go's decoder, it uses the
// element that has most of the remaining names.
func lineOf(n *yaml.Node, names []string) (line, found int) {
	if len(names) == 0 {
		return 0, 0
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == names[0] {
				below, deeper := lineOf(n.Content[i+1], names[1:])
				return max(n.Content[i].Line, below), 1 + deeper
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(names[0]); err == nil && i >= 0 && i < len(n.Content) {
			below, deeper := lineOf(n.Content[i], names[1:])
			return max(n.Content[i].Line, below), 1 + deeper
		}
		for _, item := range n.Content {
			if below, deeper := lineOf(item, names); deeper > found {
				line, found = below, deeper
			}
		}
	}
	return line, found
}
