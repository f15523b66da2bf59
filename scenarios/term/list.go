package term

import "slices"

// Entry is one word of a list with its meaning in one line.
type Entry[W ~string] struct {
	Word    W
	Meaning string
}

// List is a closed list of words, in the order a reader should meet them.
type List[W ~string] []Entry[W]

// Words returns the words as plain strings, in the list's order.
func (l List[W]) Words() []string {
	words := make([]string, len(l))
	for i, e := range l {
		words[i] = string(e.Word)
	}
	return words
}

// Has reports whether the word is in the list.
func (l List[W]) Has(w W) bool { return l.Index(w) >= 0 }

// Index returns the number of the word in the list; -1: it is not in the list.
func (l List[W]) Index(w W) int {
	return slices.IndexFunc(l, func(e Entry[W]) bool { return e.Word == w })
}

// Meaning returns the word's meaning, or "" for a word that is not in the list.
func (l List[W]) Meaning(w W) string {
	for _, e := range l {
		if e.Word == w {
			return e.Meaning
		}
	}
	return ""
}
