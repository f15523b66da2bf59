package term

// StoreKind is the kind of etcd that a run's servers share.
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

// Store is the etcd that a run's servers share. It contains no credentials, only the names of
// their files.
type Store struct {
	Kind    StoreKind `json:"kind"`
	Version string    `json:"version,omitempty"` // its version, as it reports it; absent when it did not answer
	// Reference and Digest identify its image: the reference as given, and the image's ID.
	Reference string `json:"reference,omitempty"`
	Digest    string `json:"digest,omitempty"`
	// Fsync reports that an etcd of the run's own wrote to disk before it answered.
	Fsync bool `json:"fsync,omitempty"`
	// Endpoints are the URLs of an existing store, without users and passwords, and the files
	// those of its certificates, as they were given.
	Endpoints []string `json:"endpoints,omitempty"`
	CAFile    string   `json:"caFile,omitempty"`
	CertFile  string   `json:"certFile,omitempty"`
	KeyFile   string   `json:"keyFile,omitempty"`
}

// Adapter is how the server of a module was started, and the kube-apiserver that it used.
type Adapter struct {
	// File is the adapter file as the user gave it, absent if the scenario names it or there is
	// none; Digest is the sha256 of its bytes, absent without a file.
	File      string            `json:"file,omitempty"`
	Digest    string            `json:"digest,omitempty"`
	Component string            `json:"component"`
	Flags     []string          `json:"flags,omitempty"`
	Names     map[string]string `json:"names,omitempty"` // the names there of flags that all servers are given
	Behind    Behind            `json:"behind"`
}

// Behind is the kube-apiserver that the server of a module used.
type Behind struct {
	Reference string `json:"reference"`
	Version   string `json:"version"`
	Digest    string `json:"digest"` // sha256 of the binary, or of the image's configuration
}
