package scenarios

// Group are paths that a server keeps in step. In a file, a list stands for a
// group that says no more than its paths.
type Group struct {
	// Paths are those of the group, two or more.
	Paths []string `json:"paths" jsonschema:"required" jsonschema_description:"The paths that go together, two or more."`
	// Equal says that its members are one value under several names: whatever an
	// answer shows of them is equal. Default false.
	Equal bool `json:"equal,omitempty" jsonschema_description:"Whether the paths are one value under several names, so that no answer may show two of them with different values."`
}

// Short returns the paths: a list stands for a group that says no more.
func (g *Group) Short() any { return &g.Paths }

// RelatedPaths are the groups' paths.
func (s *Scenario) RelatedPaths() [][]string {
	var all [][]string
	for _, g := range s.Related {
		all = append(all, g.Paths)
	}
	return all
}

// EqualPaths are the paths of those groups whose members are one value.
func (s *Scenario) EqualPaths() [][]string {
	var all [][]string
	for _, g := range s.Related {
		if g.Equal {
			all = append(all, g.Paths)
		}
	}
	return all
}
