// Package rules tries, for each validation rule that two releases state differently, whether
// their servers answer differently.
//
// It turns a [Target], a rule with a valid object that holds a value at the rule's path, into
// changes of the object on each side of the rule: [Try] sends each as a dry run to a server of
// each release. Equal answers need no journey; each change that one release accepts and the
// other refuses is a [Trial] for one. The package knows no kind and no format by name: it sends
// the same texts, bounds and removals to both servers, and compares their answers.
package rules
