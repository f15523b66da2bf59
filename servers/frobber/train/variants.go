package train

import (
	"maps"
	"slices"
)

// variants are other right edits for a release, by its name and theirs. No further
// release is built on one: what it adds is not on the train.
func variants() map[string]map[string]edit {
	return map[string]map[string]edit{
		"1.6": {"extra": pluralByExtra}, // since 1.6
	}
}

// Variants lists the variants of a release, sorted: extra, as in 1.6+extra. They
// are as right as the release, so they are no twins.
func Variants(name string) []string { return slices.Sorted(maps.Keys(variants()[name])) }

// other is the edit that takes the place of the right one: a twin's, or a variant's.
func (s stop) other(name string) edit {
	if twin := s.twins[name]; twin != nil {
		return twin
	}
	return variants()[s.name][name]
}
