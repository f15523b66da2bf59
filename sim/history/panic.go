package history

// Panic is a panic of a server: its message, and the function and line, if its log contains
// them.
type Panic struct {
	Value    string `json:"value"`
	Function string `json:"function,omitempty"`
	Line     string `json:"line,omitempty"`
}
