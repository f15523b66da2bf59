package train

import (
	"maps"
	"slices"
)

// variants are other correct edits for a release, by the release's name and theirs. No later
// release is based on one, so what they add is not in later releases.
func variants() map[string]map[string]edit {
	return map[string]map[string]edit{
		"1.6": {"extra": pluralByExtra}, // since 1.6
	}
}

// Variants lists the variants of a release, sorted: extra, as in 1.6+extra. They are as correct
// as the release, so they are not mutants.
func Variants(name string) []string { return slices.Sorted(maps.Keys(variants()[name])) }

// other returns the edit that replaces the correct one: that of a mutant, or of a variant.
func (s stop) other(name string) edit {
	if mutant := s.mutants[name]; mutant != nil {
		return mutant
	}
	return variants()[s.name][name]
}
