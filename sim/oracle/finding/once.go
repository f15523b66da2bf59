package finding

import "fmt"

// Once remembers what was reported, so that of several alike the first is reported.
type Once map[string]bool

// First reports whether it meets these parts together for the first time.
func (o Once) First(parts ...any) bool {
	key := fmt.Sprintln(parts...)
	known := o[key]
	o[key] = true
	return !known
}
