package search

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/skewsim/skewsim/sim/objects"
)

// Pool is what known objects of a release show: the texts that members of a name have, and
// the keys of maps. A value that is valid in one kind is often valid in another.
type Pool struct {
	texts map[string][]string
	keys  map[string][]string
	// amounts are the keys of maps whose values are all amounts.
	amounts []string
}

// maxPooled is how many values of one name are kept.
const maxPooled = 6

// PoolOf reads objects in their order.
func PoolOf(objects []map[string]any) *Pool {
	p := &Pool{texts: map[string][]string{}, keys: map[string][]string{}}
	for _, object := range objects {
		p.read(object, "")
	}
	return p
}

func (p *Pool) read(v any, name string) {
	switch v := v.(type) {
	case map[string]any:
		if areAmounts(v) {
			for _, key := range slices.Sorted(maps.Keys(v)) {
				p.amounts = with(p.amounts, key)
			}
		}
		for _, member := range slices.Sorted(maps.Keys(v)) {
			p.keys[name] = with(p.keys[name], member)
			p.read(v[member], member)
		}
	case []any:
		for _, element := range v {
			p.read(element, name)
		}
	default:
		if text, is := scalarText(v); is && len(text) < 200 {
			p.texts[name] = with(p.texts[name], text)
		}
	}
}

// areAmounts reports whether all entries of a map are amounts.
func areAmounts(entries map[string]any) bool {
	for _, v := range entries {
		text, is := v.(string)
		if _, err := resource.ParseQuantity(text); !is || err != nil {
			return false
		}
	}
	return len(entries) > 0
}

func with(all []string, text string) []string {
	if text == "" || len(all) == maxPooled || slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// valuesOf returns the texts that members of a name have.
func (p *Pool) valuesOf(name string) []string {
	if p == nil {
		return nil
	}
	return p.texts[name]
}

// keysOf returns the keys of maps of a name, and if their values are amounts, those that maps
// of amounts have elsewhere.
func (p *Pool) keysOf(name, definition string) []string {
	if p == nil {
		return nil
	}
	all := slices.Clone(p.keys[name])
	for _, key := range p.amounts {
		if (strings.HasSuffix(definition, objects.QuantityType) || len(all) == 0) && !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	return all
}
