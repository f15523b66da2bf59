package mask

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Rule is a rule of a definition, which its author has written: it says nothing of any object.
type Rule struct {
	Path    string `json:"-"` // of what it is about, without keys: .spec; "" for the whole object
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// rulesExtension is where a published schema has the rules.
const rulesExtension = "x-kubernetes-validations"

// deepest is how deep rules are looked for.
const deepest = 20

// Rules returns the rules of a kind, in the order of their paths.
func (f *Fields) Rules(apiVersion, kind string) []Rule {
	all := f.scheme(apiVersion, kind).rules("", deepest)
	slices.SortStableFunc(all, func(a, b Rule) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func (s scheme) rules(path string, depth int) (all []Rule) {
	if s.at == nil || depth == 0 {
		return nil
	}
	if said, has := s.at.Extensions[rulesExtension]; has {
		raw, _ := json.Marshal(said) // it came from JSON
		if json.Unmarshal(raw, &all) != nil {
			all = nil
		}
		for i := range all {
			all[i].Path, all[i].Message = path, strings.TrimSpace(all[i].Message)
		}
	}
	for name := range s.at.Properties {
		below, _ := s.member(name)
		all = append(all, below.rules(path+"."+name, depth-1)...)
	}
	if below := s.element(); below.at != nil {
		all = append(all, below.rules(path+"[]", depth-1)...)
	}
	return all
}

// WithoutValues returns a rule without the texts and long numbers in it.
func (r Rule) WithoutValues() string {
	return longNumber.ReplaceAllString((*Fields)(nil).MessageOfSchema(r.Rule, nil, []string{r.Rule}), hidden)
}

var longNumber = regexp.MustCompile(`\b[0-9]{5,}\b`)
