package scenarios

// Group is a set of paths that a server keeps in step. A file may write a group as a list of
// paths if it has no other key.
type Group struct {
	// Paths are the members of the group, two or more.
	Paths []string `json:"paths" jsonschema:"required" jsonschema_description:"The paths that go together, two or more."`
	// Equal says that the paths are one value under several names: every answer shows the same
	// value at all of them. Default false.
	Equal bool `json:"equal,omitempty" jsonschema_description:"Whether the paths are one value under several names, so that no answer may show two of them with different values."`
}

// Short returns the paths, the field that the short form of a group fills.
func (g *Group) Short() any { return &g.Paths }

// RelatedPaths returns the paths of the groups.
func (s *Scenario) RelatedPaths() [][]string {
	var all [][]string
	for _, g := range s.Related {
		all = append(all, g.Paths)
	}
	return all
}

// EqualPaths returns the paths of the groups whose members are one value.
func (s *Scenario) EqualPaths() [][]string {
	var all [][]string
	for _, g := range s.Related {
		if g.Equal {
			all = append(all, g.Paths)
		}
	}
	return all
}
