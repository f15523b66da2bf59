// Package rules tries whether servers of two releases answer differently: for each validation
// rule that the releases state differently, and for fields that both publish alike.
//
// It turns a [Target], a rule with a valid object that holds a value at the rule's path, into
// changes of the object on each side of the rule: [Try] sends each as a dry run to a server of
// each release. Equal answers need no journey; each change that one release accepts and the
// other refuses is a [Trial] for one. [TryFields] does the same with other values of a field that
// no rule is about. The package knows no kind and no format by name: it sends
// the same texts, bounds and removals to both servers, and compares their answers.
package rules
