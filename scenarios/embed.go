package scenarios

import (
	"embed"
	"io/fs"
)

// Files holds the catalogue. Only the embed package writes to it.
//
//go:embed kubernetes frobber crd aggregated
var Files embed.FS

// CatalogueFS returns the catalogue's files, to copy from.
func CatalogueFS() fs.FS { return Files }
