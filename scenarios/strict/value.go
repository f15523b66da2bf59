package strict

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Value returns what a node holds: maps with strings as keys, lists and scalars. It returns an error for a
// key that is no string or occurs twice. The document has no aliases: see Expand and Inspect.
//
// The YAML library decodes the same, and compares each key of a map with all others: for a hundred thousand
// of them that takes minutes.
func Value(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return mapping(n)
	case yaml.SequenceNode:
		all := make([]any, len(n.Content))
		for i, element := range n.Content {
			value, err := Value(element)
			if err != nil {
				return nil, err
			}
			all[i] = value
		}
		return all, nil
	}
	var scalar any
	err := n.Decode(&scalar)
	return scalar, err
}

func mapping(n *yaml.Node) (map[string]any, error) {
	all, first := make(map[string]any, len(n.Content)/2), make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		line, twice := first[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || !IsString(key):
			return nil, fmt.Errorf("line %d: %s as a key: keys are strings", key.Line, What(key))
		case twice:
			return nil, fmt.Errorf("line %d: mapping key %s already defined at line %d", key.Line, Quote(key.Value), line)
		}
		value, err := Value(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		all[key.Value], first[key.Value] = value, key.Line
	}
	return all, nil
}
