package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// maxSteps bounds a plan: some three times what one machine runs in an hour.
const maxSteps = 50_000

// countless is where counting stops: products of long lists are larger than an int.
const countless = 1_000_000_000

// SizeError says that the lines of a scenario multiply to more than a plan may have, or do
// so with its orders.
type SizeError struct {
	File   string
	Steps  int
	Lines  []LineSize // the largest first
	Orders LineSize   // what all orders give; without a line where the file does not ask for them
}

// LineSize is what one line of play multiplies to.
type LineSize struct{ Index, Line, Steps int }

// Error says how large the plan would be, and which lines multiply most.
func (e *SizeError) Error() string {
	const told = 3
	var largest []string
	for _, l := range e.Lines[:min(told, len(e.Lines))] {
		largest = append(largest, fmt.Sprintf("line %d gives %s", l.Line, steps(l.Steps)))
	}
	if more := len(e.Lines) - told; more > 0 {
		largest = append(largest, fmt.Sprintf("%d other lines the rest", more))
	}
	at, advice := fmt.Sprintf("%d: play[%d]", e.Lines[0].Line, e.Lines[0].Index), "give their lists fewer words, or fewer stages"
	if e.Orders.Steps > 0 {
		largest = append(largest, "the orders give "+steps(e.Orders.Steps))
	}
	if e.Orders.Steps > e.Lines[0].Steps {
		at, advice = fmt.Sprintf("%d: orders", e.Orders.Line), "ask for fewer orders"
		if e.Orders.Line == 0 { // the file does not ask for them
			at = " orders"
		}
	}
	return fmt.Sprintf("%s:%s: the lines of play multiply to %s, and a plan has at most %d: %s; %s",
		e.File, at, steps(e.Steps), maxSteps, strings.Join(largest, ", "), advice)
}

func steps(n int) string {
	if n >= countless {
		return fmt.Sprintf("%d steps or more", countless)
	}
	return term.Numbered(n, "step")
}

// bounded returns a SizeError where the plan would be too large. It counts, and makes
// nothing: what multiplies may be more than a machine holds.
func (ls lines) bounded() error {
	all, orders := ls.lineSizes(), ls.orderSize()
	total := orders.Steps
	for _, l := range all {
		total = plus(total, l.Steps)
	}
	if total <= maxSteps {
		return nil
	}
	slices.SortStableFunc(all, func(x, y LineSize) int { return cmp.Compare(y.Steps, x.Steps) })
	of := len(all)
	all = append(all[:1:1], slices.DeleteFunc(all[1:], func(l LineSize) bool { return l.Steps*100 < total/of })...)
	return &SizeError{File: ls.plan.File, Steps: total, Lines: all, Orders: orders}
}

// orderSize is what the orders give on average: each a copy that is made, and meets one to
// maxPicks operations at each stage.
func (ls lines) orderSize() LineSize {
	orders := ls.scenario.Orders
	if ls.scenario.Order > 0 {
		orders = 1
	}
	return LineSize{Line: ls.scenario.Lines["orders"], Steps: times(orders, 1+(1+maxPicks)*len(ls.plan.Stages)/2)}
}

// lineSizes are those of each line: create lines first, since the others multiply them.
func (ls lines) lineSizes() (all []LineSize) {
	s := sizes{stages: ls.plan.Stages, births: map[string][]int{}}
	for i, line := range ls.scenario.Play {
		if line.Create != "" {
			all = append(all, LineSize{i, ls.lineNumber(i), s.created(line)})
		}
	}
	for i, line := range ls.scenario.Play {
		if _, object := line.VerbKey(); line.Create == "" {
			all = append(all, LineSize{i, ls.lineNumber(i), s.operated(line, s.births[object], len(ls.forms(object)))})
		}
	}
	return all
}

// sizes counts what lines multiply to, as cells and addFollowed make it.
type sizes struct {
	stages []Stage
	births map[string][]int // by object: how many ways there are to create it, by stage
}

// created counts a create line: each way it gives has an untouched copy, and what cannot
// be played is listed once for each.
func (s *sizes) created(line scenarios.Line) int {
	at, listed := s.cells(line)
	if len(line.At) == 0 { // once, at the first stage that can
		for i, n := range at {
			at[i] = max(0, n-sum(at[:i]))
		}
	}
	ways := s.births[line.Create]
	if ways == nil {
		ways = make([]int, len(s.stages))
	}
	for i, n := range at {
		ways[i] = plus(ways[i], n)
	}
	s.births[line.Create] = ways
	return plus(times(2, sum(at)), listed)
}

// operated counts any other line: each cell has a copy of each form for each way to create
// it by then, and for each way to go on. A LIST has none.
func (s *sizes) operated(line scenarios.Line, births []int, forms int) int {
	at, total := s.cells(line)
	born := 0
	for i, n := range at {
		if births != nil {
			born = plus(born, births[i])
		}
		copies, each := times(forms, born), 2+len(line.Then)
		if line.List != "" {
			copies, each = 1, 1
		}
		ways := map[int]int{i: 1} // by the stage that the last of them is at
		for _, next := range line.Then {
			longer := map[int]int{}
			for stage, of := range ways {
				for _, stages := range laterStages(next, s.stages, stage) {
					for _, on := range stages {
						next.At = []string{s.stages[on].Name}
						cells, listed := s.cells(next)
						total = plus(total, listed)
						if cells[on] > 0 {
							longer[on] = plus(longer[on], times(of, cells[on]))
							break
						}
					}
				}
			}
			ways = longer
		}
		total = plus(total, times(n, times(copies, times(each, sum(slices.Collect(maps.Values(ways)))))))
	}
	return total
}

// cells counts a line's cells: those that a stage plays, by stage, and those that no stage
// does.
func (s *sizes) cells(line scenarios.Line) (at []int, listed int) {
	at = make([]int, len(s.stages))
	reading, writing := s.replicas(line, true), s.replicas(line, false)
	for verb, verbs := range counted(verbsOf(line)) {
		targets, pairs := writing, len(orNone(line.Via))
		if verb.Reads() {
			targets, pairs = reading, times(len(line.Via), max(1, len(line.Read)))
		}
		for client, clients := range counted(line.Client) {
			c := choice{verb: verb, client: client, unfit: verb.Unfit(client)}
			if c.unfit != "" {
				listed = plus(listed, times(verbs, clients))
				continue
			}
			n := times(verbs, times(clients, times(len(c.encodings(line)), times(len(c.changesOf(line)), len(c.managers(line))))))
			n = times(n, times(len(orNone(line.FieldValidation)), times(len(orNone(line.APIVersion)), len(orNone(line.FieldSelector)))))
			for i := range at {
				at[i] = plus(at[i], times(n, targets[i]))
			}
			listed = plus(listed, times(n, max(0, pairs-slices.Max(targets))))
		}
	}
	return at, listed
}

// replicas counts, by stage, the combinations of via and read for which the stage has a
// replica; those at stages that the line does not mean do not count.
func (s *sizes) replicas(line scenarios.Line, reads bool) []int {
	at := make([]int, len(s.stages))
	for _, i := range meant(line, s.stages) {
		has := func(list []scenarios.Target) (n int) {
			for target, many := range counted(list) {
				if len(candidates(s.stages[i], target)) > 0 {
					n += many
				}
			}
			return n
		}
		at[i] = has(line.Via)
		if reads && len(line.Read) > 0 {
			at[i] = times(at[i], has(line.Read))
		}
	}
	return at
}

// counted is how often each word is in a list.
func counted[W comparable](list []W) map[W]int {
	all := map[W]int{}
	for _, word := range list {
		all[word]++
	}
	return all
}

func sum(all []int) (total int) {
	for _, n := range all {
		total = plus(total, n)
	}
	return total
}

func plus(a, b int) int { return min(countless, a+b) }

func times(a, b int) int { return min(countless, a*b) }
