// Package rules generates docs/explanation/rules.md, which maps the obligations of Kubernetes'
// "Changing the API" to the scenarios that test them.
//
// The lists are YAML files in this folder, one for each text. They do not say which check
// catches a mutant: the mutant's scenario does. The package never plays anything.
//
// A rule quotes a few words of each sentence that it is taken from. The repository does not
// contain the texts themselves. Instead, index.txt has a byte for each word of each sentence,
// which is enough to find a quotation and not enough to read the text; its first lines say how
// it is made.
package rules
