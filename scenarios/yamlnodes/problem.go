package yamlnodes

import "fmt"

// Problem is one thing wrong with a file that a user writes.
type Problem struct {
	// File is the file as the caller named it, or one in the same folder.
	File string
	// Line counts from 1; 0 means the whole file or folder.
	Line int
	// Path is the place in the document, such as "play[2].via"; empty means the whole document.
	Path string
	// Text says what is wrong, and what would be right.
	Text string
}

// Error prints the problem as new-field.yaml:9: play[2].via: what is wrong.
func (p Problem) Error() string {
	text := p.Text
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, text)
	}
	return p.File + ": " + text
}
