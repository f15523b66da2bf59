package finding

import "fmt"

// EventText is what is reported of an event, in words even when that is nothing.
func EventText(message string) string {
	if message == "" {
		return "nothing says why"
	}
	return message
}

// OthersText are the copies that a try speaks for beside its own.
func OthersText(copies []string) string {
	switch len(copies) {
	case 0:
		return ""
	case 1:
		return " (and one other that differs in nothing but its name)"
	}
	return fmt.Sprintf(" (and %d others that differ in nothing but their names)", len(copies))
}
