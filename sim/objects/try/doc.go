// Package try sends objects to running servers as dry runs: to make, for each difference
// between two releases, an object that a server accepts and that holds the difference, and to find out
// whether the releases answer differently.
//
// It turns a [Target], a path of a kind with a value to hold, into a [Specimen], and a [RuleTarget], a
// rule with a valid object that holds a value at the rule's path, into changes of the object on each side
// of the rule. Equal answers need no run; each change that one release accepts and the other refuses is a
// [Trial] for one. [TryFields] tries other values of fields that both releases publish alike. The package
// stores nothing that the caller's scratch store does not forget, knows no kind and no format by name, and
// judges nothing.
package try
