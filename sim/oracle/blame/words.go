package blame

import "fmt"

// EventText returns the message of an event, or says that none exists.
func EventText(message string) string {
	if message == "" {
		return "nothing says why"
	}
	return message
}

// OthersText counts the copies that a dry run represents in addition to its own.
func OthersText(copies []string) string {
	switch len(copies) {
	case 0:
		return ""
	case 1:
		return " (and one other that differs in nothing but its name)"
	}
	return fmt.Sprintf(" (and %d others that differ in nothing but their names)", len(copies))
}
