package term

// Discovery is how a client that discovers chooses the version it goes through:
// it stands where else a version does.
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

// Discovers tells whether the word stands for what is discovered.
func Discovers(apiVersion string) bool {
	return Discovery(apiVersion) == Preferred || Discovery(apiVersion) == OncePreferred
}
