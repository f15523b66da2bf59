package crd

import (
	"errors"
	"fmt"
	"strings"
)

// fixed is a field of a definition that servers do not change after creation.
type fixed struct {
	at, value string
	line      int
}

// Replace returns the changes from old to new that every server refuses: another scope or kind
// of the same definition, and a definition of a kind that another definition already has,
// because no definition is deleted.
func Replace(old, new Set) error {
	var problems []error
	for _, d := range new.Definitions {
		for _, before := range old.Definitions {
			problems = append(problems, against(before, d)...)
		}
	}
	return errors.Join(problems...)
}

func against(old, new Definition) (problems []error) {
	file, _, _ := strings.Cut(new.place, "\n")
	add := func(f fixed, format string, args ...any) {
		problems = append(problems, Problem{File: file, Line: f.line, Path: f.at, Text: fmt.Sprintf(format, args...)})
	}
	for i, f := range new.fixed {
		was := old.fixed[i]
		from, _, _ := strings.Cut(old.place, "\n")
		switch there := fmt.Sprintf("%s:%d", from, was.line); {
		case new.Name == old.Name && f.value != was.value:
			add(f, "%s, and %s in %s: servers never change it in an existing definition: keep it", f.value, was.value, there)
		case new.Name != old.Name && new.Group == old.Group && f.at == kindField && f.value == was.value:
			add(f, "%s is the kind of %s in %s, which stays when %s is installed, and no server serves both: keep the definition's name, or name another kind",
				f.value, old.Name, there, new.Name)
		}
	}
	return problems
}

// kindField is the path of a definition's kind.
const kindField = "spec.names.kind"
