package mask

import (
	"strings"
	"sync"
)

// Vocabulary are the words, in lower case, that servers and the simulator use in messages about any
// object.
var Vocabulary = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(knownWords)) {
		all[w] = true
	}
	return all
})

// knownWords are words of validation, of status messages and of the simulator: where a message has one,
// nobody can say that it is a value of the user's.
const knownWords = `
	a about added admission again alone already an and another answered any API APIs are array as at backup be become becomes been before being below body boolean budget but by
	called cannot changed client cluster code configuration conflict conversion convert cost could crash created
	data decode decoded decoder decrypt decryption default defaults deleted denied denies deny did disabled does done dropped duplicate
	each earlier empty enabled encoded encoding encryption end ended error errors exceeded exist exists expected exited expired expression
	failed failure fails field fields finalizer for forbidden form found from gate gave GET give gives gone greater group had has have having her here how
	if immutable in included inconsistent indeterminate integer internal into invalid is it its itself JSON key keys kind kinds known
	label last leading left length less list log long longer longest malformed manifests many may message metadata missing more most must
	name names namespaced namespace no nobody non none not nothing null number
	object objects of off on once one only operation or original other out
	panic parse patch path perform permitted policy positive preset provided provider put range ranges read reads reading ready refused refuses
	registered rejected release removed repeated reports request required resource resources response restore returned review rule
	same scale schema scheme see seen served server servers serves service set sets should show shown shows size slash snapshot so someone source
	spec specified start status stop stored storage string subresource such supported
	template than that the their themselves then there these they this those time timeout to too top true type types
	unable unavailable unauthorized unexpected unknown unsupported until unserved update updated updates uses user
	valid validation value values version versions was webhook webhooks were what when where which while who why will with within without
	words would write writes written wrote yet you your zero YAML`
