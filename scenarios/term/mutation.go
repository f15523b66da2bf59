package term

import "strings"

// mutationMark begins the warnings by which skewsim itself notes, in the answer to a call, what an
// admission webhook changed of it: so the evidence travels with the call. No client is shown them.
const mutationMark = "skewsim: admission changed "

// MutationWarning is the warning for a path, as a JSON pointer.
func MutationWarning(pointer string) string { return mutationMark + pointer }

// SplitMutations returns the warnings that a client was given, and the paths that an admission webhook
// changed, as JSON pointers.
func SplitMutations(warnings []string) (others, pointers []string) {
	for _, w := range warnings {
		if pointer, is := strings.CutPrefix(w, mutationMark); is {
			pointers = append(pointers, pointer)
			continue
		}
		others = append(others, w)
	}
	return others, pointers
}
