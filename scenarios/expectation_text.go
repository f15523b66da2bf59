package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// Flow returns the expectation as a line of expect: {check: nothing-lost, via: old}.
func (e Expectation) Flow() string {
	text, err := yaml.Marshal(flowOf(reflect.ValueOf(e)))
	if err != nil {
		panic(fmt.Sprintf("an expectation as YAML: %v", err)) // its nodes are made here
	}
	return strings.TrimSuffix(string(text), "\n")
}

// flowOf returns a struct of words, lists of words, numbers and such structs as a flow map,
// without empty values.
func flowOf(v reflect.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle}
	for _, f := range strict.FieldsOf(v.Type()) {
		value := v.FieldByIndex(f.Index)
		if value.IsZero() {
			continue
		}
		n.Content = append(n.Content, plainWord(f.Key), flowValue(f.Key, value))
	}
	return n
}

func flowValue(key string, v reflect.Value) *yaml.Node {
	switch v.Kind() {
	case reflect.Pointer:
		return flowOf(v.Elem())
	case reflect.Int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v.Int(), 10)}
	case reflect.Slice:
		if v.Len() == 1 {
			return flowWord(key, v.Index(0).String())
		}
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for i := range v.Len() {
			n.Content = append(n.Content, flowWord(key, v.Index(i).String()))
		}
		return n
	}
	return flowWord(key, v.String())
}

// flowWord quotes words with characters that have a meaning in YAML, and words that some
// parsers read as another type than string.
func flowWord(key, word string) *yaml.Node {
	n := plainWord(word)
	if key == "until" {
		n.Tag = "!!timestamp"
	}
	if slices.Contains([]string{"path", "claimedBy", "old", "new", "owner", "why"}, key) || strict.Disputed(n) != "" {
		n.Style = yaml.SingleQuotedStyle
	}
	return n
}

// plainWord returns a word without bytes that are not UTF-8: YAML has none, but a damaged
// result may.
func plainWord(word string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.ToValidUTF8(word, "\uFFFD")}
}
