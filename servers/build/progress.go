package build

// Progress receives the progress of a build. Its methods are called from one goroutine at a
// time.
type Progress interface {
	// Phase reports the current step: "downloading k8s.io/api v0.37.0", "compiling
	// kube-apiserver v1.37.0".
	Phase(text string)
	// Packages reports how many of the program's packages are compiled. Those that an earlier
	// build left in Go's own cache are skipped, so done may jump; it reaches total before
	// linking.
	Packages(done, total int)
}

// silent is the Progress of callers without one.
type silent struct{}

func (silent) Phase(string)      {}
func (silent) Packages(int, int) {}

func orSilent(p Progress) Progress {
	if p == nil {
		return silent{}
	}
	return p
}
