// Package rules turns the list of what Kubernetes' "Changing the API" obliges one
// to, and of the scenarios that play it, into the table docs/rules.md, and into
// what is wrong with the list.
//
// The list is in YAML beside it, a file for each text. Which check catches a twin
// is not in it: that is said by the twin's scenario. It never plays anything.
//
// A rule keeps a few words of each sentence that it is taken from. The texts
// themselves are not in the repository. In their place index.txt has, for each
// sentence, a byte for each word, which is enough to find a quotation in, and not
// enough to read: see its first lines for how it is made.
package rules
