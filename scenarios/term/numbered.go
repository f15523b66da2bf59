package term

import "fmt"

// Numbered returns a number with its noun, whose plural ends in s.
func Numbered(n int, noun string) string {
	return Counted(n, noun, noun+"s")
}

// Counted returns a number with one of two words: for one, and for any other number.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
