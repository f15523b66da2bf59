package scenarios

// MadeBy reports whether a release can create the object. Any release can if the object has no
// Since or if the release is not known (""). It compares the core of the version, so a mutant
// creates what its release does. It returns an error for a constraint or a version that
// go-version cannot parse.
func (o Object) MadeBy(release string) (bool, error) {
	if o.Since == "" || release == "" {
		return true, nil
	}
	return meets(release, o.Since, "since", "since")
}
