package sweep

import (
	"fmt"
	"slices"
	"strings"
)

// maxNamed is how many names a sentence has at most.
const maxNamed = 3

// FirstOf returns the first of the names of rows, for a sentence: several versions of a kind have rows
// of one name.
func FirstOf(names []string) string {
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	if len(once) <= maxNamed {
		return strings.Join(once, ", ")
	}
	return fmt.Sprintf("%s and others", strings.Join(once[:maxNamed], ", "))
}
