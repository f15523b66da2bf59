package term

// StoreKind says whose etcd a run's servers shared.
type StoreKind string

// The kinds of a store.
const (
	StoreEmbedded StoreKind = "embedded"
	StoreImage    StoreKind = "image"
	StoreExisting StoreKind = "existing"
)

// StoreKinds are all kinds of a store.
func StoreKinds() List[StoreKind] {
	return List[StoreKind]{
		{StoreEmbedded, "an etcd within skewsim"},
		{StoreImage, "an etcd that was run from a container image, for the run"},
		{StoreExisting, "an etcd that was there already"},
	}
}

// Store is the etcd that a run's servers shared. It holds no credentials: of those it
// names the files.
type Store struct {
	Kind    StoreKind `json:"kind"`
	Version string    `json:"version,omitempty"` // what it says of itself; absent when it did not answer
	// Reference and Digest are of its image: as it was given, and the image's ID.
	Reference string `json:"reference,omitempty"`
	Digest    string `json:"digest,omitempty"`
	// Fsync tells that an etcd of the run's own wrote to disk before it answered.
	Fsync bool `json:"fsync,omitempty"`
	// Endpoints are the URLs of one that was there already, without users and
	// passwords, and the files those of its certificates, as they were given.
	Endpoints []string `json:"endpoints,omitempty"`
	CAFile    string   `json:"caFile,omitempty"`
	CertFile  string   `json:"certFile,omitempty"`
	KeyFile   string   `json:"keyFile,omitempty"`
}

// Adapter is how the server of a module was started, and what it leaned on.
type Adapter struct {
	// File is as whoever played it gave it, absent where the scenario names it, or there
	// is none; Digest is the sha256 of its bytes, absent where there is none.
	File      string            `json:"file,omitempty"`
	Digest    string            `json:"digest,omitempty"`
	Component string            `json:"component"`
	Flags     []string          `json:"flags,omitempty"`
	Names     map[string]string `json:"names,omitempty"` // what flags that all servers are given are called there
	Behind    Behind            `json:"behind"`
}

// Behind is the kube-apiserver that the server of a module leaned on.
type Behind struct {
	Reference string `json:"reference"`
	Version   string `json:"version"`
	Digest    string `json:"digest"` // sha256 of the binary, or of the image's configuration
}
