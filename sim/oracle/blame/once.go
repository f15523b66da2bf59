package blame

import "fmt"

// Once remembers what was reported, so that only the first of equal facts is reported.
type Once map[string]bool

// First reports whether it is called with these parts for the first time.
func (o Once) First(parts ...any) bool {
	key := fmt.Sprintln(parts...)
	known := o[key]
	o[key] = true
	return !known
}
