package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// annotation is 1.23: depth by the annotation frobbing.alpha.example.com/depth.
func annotation(_ *release.Release) {
}

func annotationTwins() twins { return nil }
