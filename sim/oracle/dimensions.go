package oracle

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// dimension is a key of an expectation that lists words, of which a finding has one.
type dimension struct {
	key    string
	of     func(result.Finding) string
	wanted func(scenarios.Expectation) []string
	put    func(*scenarios.Expectation, []string)
}

// dimensions returns all of them.
func dimensions() []dimension {
	return []dimension{
		listing("class", func(f result.Finding) term.Class { return f.Class }, func(e *scenarios.Expectation) *scenarios.OneOf[term.Class] { return &e.Class }),
		listing("rule", func(f result.Finding) term.Rule { return f.Rule }, func(e *scenarios.Expectation) *scenarios.OneOf[term.Rule] { return &e.Rule }),
		listing("outcome", func(f result.Finding) term.Outcome { return f.Outcome }, func(e *scenarios.Expectation) *scenarios.OneOf[term.Outcome] { return &e.Outcome }),
		listing("cause", func(f result.Finding) term.Cause { return f.Cause }, func(e *scenarios.Expectation) *scenarios.OneOf[term.Cause] { return &e.Cause }),
		listing("object", func(f result.Finding) string { return f.Object }, func(e *scenarios.Expectation) *scenarios.OneOf[string] { return &e.Object }),
		listing("path", func(f result.Finding) string { return f.Path }, func(e *scenarios.Expectation) *scenarios.OneOf[string] { return &e.Path }),
		listing("via", func(f result.Finding) term.Role { return f.Via }, func(e *scenarios.Expectation) *[]term.Role { return &e.Via }),
		listing("read", func(f result.Finding) term.Role { return f.Read }, func(e *scenarios.Expectation) *[]term.Role { return &e.Read }),
		listing("client", func(f result.Finding) term.Client { return f.Client }, func(e *scenarios.Expectation) *[]term.Client { return &e.Client }),
		listing("verb", func(f result.Finding) term.Verb { return f.Verb }, func(e *scenarios.Expectation) *[]term.Verb { return &e.Verb }),
		listing("copy", func(f result.Finding) term.CopyRole { return f.CopyRole }, func(e *scenarios.Expectation) *[]term.CopyRole { return &e.Copy }),
		listing("encoding", func(f result.Finding) term.Encoding { return cmp.Or(f.Encoding, term.JSON) }, func(e *scenarios.Expectation) *[]term.Encoding { return &e.Encoding }),
		listing("fieldValidation", func(f result.Finding) term.FieldValidation { return f.FieldValidation }, func(e *scenarios.Expectation) *[]term.FieldValidation { return &e.FieldValidation }),
		listing("stage", func(f result.Finding) string { return f.Stage }, func(e *scenarios.Expectation) *[]string { return &e.Stage }),
	}
}

func listing[W ~string, L ~[]W](key string, of func(result.Finding) W, at func(*scenarios.Expectation) *L) dimension {
	return dimension{
		key:    key,
		of:     func(f result.Finding) string { return string(of(f)) },
		wanted: func(e scenarios.Expectation) []string { return texts(*at(&e)) },
		put: func(e *scenarios.Expectation, words []string) {
			*at(e) = nil
			for _, word := range words {
				*at(e) = append(*at(e), W(word))
			}
		},
	}
}

func dimensionOf(key string) dimension {
	all := dimensions()
	return all[slices.IndexFunc(all, func(d dimension) bool { return d.key == key })]
}
