package history

// Panic is a panic of a server: what it panicked with, and the function and the line
// that did, where its log says them.
type Panic struct {
	Value    string `json:"value"`
	Function string `json:"function,omitempty"`
	Line     string `json:"line,omitempty"`
}
