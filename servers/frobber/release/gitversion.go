package release

// GitVersion returns the version that a server of the release and its typed clients report:
// v1.1.0, or v1.1.0+required for a mutant.
func (r *Release) GitVersion() string {
	version := "v" + r.Name + ".0"
	if r.Mutant == "" {
		return version
	}
	return version + "+" + r.Mutant
}
