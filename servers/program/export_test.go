package program

import "path/filepath"

// URL returns where the program listens.
func (r *Running) URL() string { return r.url }

// CAFile returns the file with the authority of its certificate.
func (r *Running) CAFile() string { return filepath.Join(r.at.Dir, "ca.crt") }
