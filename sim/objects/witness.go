package objects

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Texts says which texts are searched: those that match some patterns and do not match others.
type Texts struct {
	Match, Miss []string
	// MinLength and MaxLength bound the number of characters; MaxLength 0: no more than longestWitness.
	MinLength, MaxLength int
}

// Bounds of a search: characters of a text, kinds of characters that are told apart, and instructions of
// patterns that are executed.
const (
	longestWitness = 600
	maxKinds       = 64
	maxSteps       = 4_000_000
)

// Find returns up to a number of texts, the shortest first. It finds one if there is any within its bounds,
// wherever the patterns differ: in characters, lengths, alternatives or anchors.
func (t Texts) Find(most int) (found []string) {
	s := textSearch{Texts: t, seen: map[string]bool{}}
	if s.MaxLength == 0 {
		s.MaxLength = longestWitness
	}
	first := textState{before: -1}
	for i, pattern := range slices.Concat(t.Match, t.Miss) {
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return nil
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return nil
		}
		s.matchers = append(s.matchers, &matcher{program: program, misses: i >= len(t.Match), marks: make([]int, len(program.Inst))})
		first.of = append(first.of, matcherState{waiting: s.closed(i, []uint32{uint32(program.Start)}, 0)}) //nolint:gosec // a small number
	}
	s.alphabet = alphabetOf(s.matchers)
	for queue := []textState{first}; len(queue) > 0 && len(found) < most && s.steps < maxSteps; queue = queue[1:] {
		if s.isWanted(queue[0]) {
			found = append(found, queue[0].text)
		}
		queue = append(queue, s.next(queue[0])...)
	}
	return found
}

// textSearch is a breadth-first search through texts, of which those that all patterns go on alike from
// count once.
type textSearch struct {
	Texts
	matchers []*matcher
	alphabet []rune // one character of each kind
	seen     map[string]bool
	steps    int
}

// matcher is one pattern.
type matcher struct {
	program *syntax.Prog
	misses  bool  // the text must not match
	marks   []int // the call of closed in which an instruction was visited
	calls   int
}

// matcherState is how far a pattern is in a text: which instructions wait for the next character.
type matcherState struct {
	waiting []uint32
	matched bool
}

// textState is a text, and how far each pattern is in it.
type textState struct {
	text   string
	length int
	before rune // the kind of the last character, as assertions tell it; -1: there is none
	of     []matcherState
}

// closed returns the instructions that wait for a character or an assertion, from some instructions on,
// where assertions hold that the flags name.
func (s *textSearch) closed(of int, from []uint32, flags syntax.EmptyOp) (all []uint32) {
	m := s.matchers[of]
	m.calls++
	for stack := slices.Clone(from); len(stack) > 0; {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m.marks[pc] == m.calls {
			continue
		}
		m.marks[pc] = m.calls
		s.steps++
		switch in := &m.program.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 { //nolint:gosec // flags of a byte
				stack = append(stack, in.Out)
			} else {
				all = append(all, pc)
			}
		case syntax.InstFail:
		default:
			all = append(all, pc)
		}
	}
	slices.Sort(all)
	return all
}

// resolved returns the instructions that wait for the next character, -1 for the end of the text, and whether
// the pattern matches before it.
func (s *textSearch) resolved(of int, state matcherState, before, next rune) (waiting []uint32, matched bool) {
	if state.matched {
		return nil, true
	}
	waiting = s.closed(of, state.waiting, syntax.EmptyOpContext(before, next))
	return waiting, slices.ContainsFunc(waiting, func(pc uint32) bool { return s.matchers[of].program.Inst[pc].Op == syntax.InstMatch })
}

// isWanted reports whether a text matches and misses what it should.
func (s *textSearch) isWanted(t textState) bool {
	for i, m := range s.matchers {
		if _, matched := s.resolved(i, t.of[i], t.before, -1); matched == m.misses {
			return false
		}
	}
	return t.length >= s.MinLength
}

// next returns the texts that are one character longer and that the search has not seen the like of.
func (s *textSearch) next(t textState) (all []textState) {
	if t.length == s.MaxLength {
		return nil
	}
	for _, c := range s.alphabet {
		if longer, ok := s.with(t, c); ok && !s.seen[longer.key(s.MinLength)] {
			s.seen[longer.key(s.MinLength)] = true
			all = append(all, longer)
		}
	}
	return all
}

// with returns a text with one more character; false: no text that begins so is wanted.
func (s *textSearch) with(t textState, c rune) (textState, bool) {
	longer := textState{text: t.text + string(c), length: t.length + 1, before: asSeen(c)}
	for i, m := range s.matchers {
		waiting, matched := s.resolved(i, t.of[i], t.before, c)
		if matched && m.misses {
			return t, false
		}
		state := matcherState{matched: matched}
		if !matched {
			from := []uint32{uint32(m.program.Start)} //nolint:gosec // a small number
			for _, pc := range waiting {
				s.steps++
				if in := &m.program.Inst[pc]; in.Op != syntax.InstEmptyWidth && in.MatchRune(c) {
					from = append(from, in.Out)
				}
			}
			state.waiting = s.closed(i, from, 0)
		}
		longer.of = append(longer.of, state)
	}
	return longer, true
}

// key is the same for texts that go on alike.
func (t textState) key(least int) string {
	return fmt.Sprint(min(t.length, least), t.before, t.of)
}

// asSeen returns a character that assertions do not tell from another one.
func asSeen(c rune) rune {
	switch {
	case c == '\n':
		return c
	case syntax.IsWordChar(c):
		return 'a'
	}
	return ' '
}

// preferred are the characters that stand for others of their kind, the plainest first.
const preferred = "a1A-_. /:b2Bé"

// alphabetOf returns one character of each kind that patterns tell apart.
func alphabetOf(all []*matcher) (alphabet []rune) {
	cuts := []rune{0, unicode.MaxRune + 1}
	for _, m := range all {
		for _, in := range m.program.Inst {
			cuts = append(cuts, cutsOf(in)...)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		if c, ok := printable(cuts[i], cuts[i+1]); ok {
			alphabet = append(alphabet, c)
		}
	}
	rank := func(c rune) int {
		if i := strings.IndexRune(preferred, c); i >= 0 {
			return i
		}
		return len(preferred)
	}
	slices.SortStableFunc(alphabet, func(a, b rune) int { return rank(a) - rank(b) })
	return alphabet[:min(len(alphabet), maxKinds)]
}

// cutsOf returns the characters from which on an instruction treats characters otherwise.
func cutsOf(in syntax.Inst) (cuts []rune) {
	ranges := in.Rune
	switch in.Op {
	case syntax.InstRuneAnyNotNL:
		ranges = []rune{'\n', '\n'}
	case syntax.InstEmptyWidth:
		ranges = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	case syntax.InstRune, syntax.InstRune1:
		if len(in.Rune) == 1 { // with other cases of the same letter
			ranges = []rune{in.Rune[0], in.Rune[0]}
			for c := unicode.SimpleFold(in.Rune[0]); c != in.Rune[0] && syntax.Flags(in.Arg)&syntax.FoldCase != 0; c = unicode.SimpleFold(c) { //nolint:gosec // flags
				ranges = append(ranges, c, c)
			}
		}
	default:
		return nil
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		cuts = append(cuts, ranges[i], ranges[i+1]+1)
	}
	return cuts
}

// printable returns a character of a range that is seen when it is printed; false: there is none.
func printable(from, below rune) (rune, bool) {
	for _, c := range preferred {
		if from <= c && c < below {
			return c, true
		}
	}
	const tried = 64
	for c := from; c < min(below, from+tried); c++ {
		if unicode.IsPrint(c) {
			return c, true
		}
	}
	if from <= ' ' && ' ' < below {
		return ' ', true
	}
	return 0, false
}
