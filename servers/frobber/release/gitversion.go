package release

// GitVersion is what a server of the release answers to /version, and what its
// typed clients say of themselves: v1.1.0, or v1.1.0+required for a twin.
func (r *Release) GitVersion() string {
	version := "v" + r.Name + ".0"
	if r.Twin == "" {
		return version
	}
	return version + "+" + r.Twin
}
