package builder

import "github.com/skewsim/skewsim/servers/gobuild"

// Progress is told what a builder makes.
type Progress interface {
	// Begin says that a build of this name is made, or looked for in the cache. What it
	// returns is told how far the build is.
	Begin(name string) Work
	// Note is told anything else that users want to know, such as that an image is pulled.
	Note(text string)
}

// Work is told how far one build is.
type Work interface {
	gobuild.Progress
	// End says that the build is made, or failed.
	End()
}

// silent is the Progress of callers that gave none.
type silent struct{}

func (silent) Begin(string) Work { return silentWork{} }
func (silent) Note(string)       {}

type silentWork struct{}

func (silentWork) Phase(string)      {}
func (silentWork) Packages(int, int) {}
func (silentWork) End()              {}
