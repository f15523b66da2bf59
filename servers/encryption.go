package servers

// Encryption is how a release's servers encrypt what they store.
type Encryption struct {
	Resources []string // such as secrets, configmaps, widgets.example.dev
	// Provider and Key encrypt what is written; "": it is written as it is.
	Provider, Key string
	// Reads are the names of keys that what is stored is read with as well, by
	// whichever provider.
	Reads []string
}
