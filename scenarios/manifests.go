package scenarios

import "regexp"

// ManifestsPair matches crd:FOLDER..crd:FOLDER; the new one may be a version of the old one's
// module.
var ManifestsPair = regexp.MustCompile(`^crd:.+\.\.(crd:.|v?[0-9])`)
