package term

// Discovery is how a client chooses the API version through discovery: a scenario gives it in
// place of a version.
type Discovery string

// The ways to choose a version.
const (
	Preferred     Discovery = "preferred"
	OncePreferred Discovery = "once-preferred"
)

// Discoveries lists every Discovery.
func Discoveries() List[Discovery] {
	return List[Discovery]{
		{Preferred, "the version that the server which the client reads through, or else writes through, prefers"},
		{OncePreferred, "the version that the newest release that has served so far prefers: a client that keeps what it discovered"},
	}
}

// Discovers reports whether the word is a Discovery, not a version.
func Discovers(apiVersion string) bool {
	return Discovery(apiVersion) == Preferred || Discovery(apiVersion) == OncePreferred
}
