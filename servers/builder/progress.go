package builder

import "github.com/skewsim/skewsim/servers/build"

// Progress is notified of what a builder makes.
type Progress interface {
	// Begin reports that a build of this name is made, or looked for in the cache. The returned
	// Work receives its progress.
	Begin(name string) Work
	// Note reports other news for users, such as that an image is pulled.
	Note(text string)
}

// Work receives the progress of one build.
type Work interface {
	build.Progress
	// End reports that the build has succeeded or failed.
	End()
}

// silent is the Progress of callers without one.
type silent struct{}

func (silent) Begin(string) Work { return silentWork{} }
func (silent) Note(string)       {}

type silentWork struct{}

func (silentWork) Phase(string)      {}
func (silentWork) Packages(int, int) {}
func (silentWork) End()              {}
