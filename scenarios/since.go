package scenarios

// MadeBy tells whether a release can make the object: any, where it has no Since,
// and where nobody knows which release that is (""). Versions are held against the
// constraint by their core, so a twin makes what its release does. Errors: a
// constraint or a version that go-version cannot read.
func (o Object) MadeBy(release string) (bool, error) {
	if o.Since == "" || release == "" {
		return true, nil
	}
	return meets(release, o.Since, "since", "since")
}
