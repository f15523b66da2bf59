package page

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Timeline is the drawing of the journey: a column for each stage, a lane for each replica,
// and the findings above them. Numbers are pixels of the drawing.
type Timeline struct {
	Width, Height int // of the lanes' drawing
	Strip         int // height of the drawing of findings; 0: none
	Middle        int // of the strip
	Base          int // where the axis is
	Second        int // height of the names' second line; 0: none has one
	Crowded       bool
	Sentence      string // the description for screen readers
	Columns       []column
	Marks         []mark
	Tally         [][]*occurrence // the findings of each column, for the table
	Legs          []leg
	Lanes         []lane
}

// column is one stage.
type column struct {
	X, Width    int
	Name, More  string // cut to the width; More is a second line
	Full        string
	Steps, Span string // whole, and cut to the width
	first, last int    // steps
}

// leg is one roll-out, over its stages.
type leg struct {
	X, Y, End  int
	Start      int // of its line, after its label
	Word       term.Rollout
	Arrow      string
	LabelShown bool
}

// The drawing's measures.
const (
	drawingWidth = 1336
	gutter       = 104 // left of the first stage, for the lanes' names
	leastColumn  = 112
	legHeight    = 30
	laneHeight   = 58
	barHigh      = 26
	stair        = 7 // how much higher the new release is drawn than the old one
	axisHeight   = 44
	secondLine   = 14
	smallType    = 11
	signWidth    = 15 // of the sign before a note
	plainType    = 12
)

// DrawTimeline draws the plan's stages and the history of servers. For a plan without stages it
// returns the zero value.
func DrawTimeline(r view.Run) Timeline {
	if len(r.Plan.Stages) == 0 || len(r.Plan.Replicas) == 0 {
		return Timeline{}
	}
	t := Timeline{Width: max(drawingWidth, gutter+leastColumn*len(r.Plan.Stages))}
	t.Crowded = t.Width > drawingWidth
	t.Columns = columnsOf(r.Plan.Stages, t.Width)
	t.Legs = legsOf(r.Plan.Stages, t.Columns)
	t.drawMarks(r)
	c := courseOf(r, t.Columns)
	for i, replica := range r.Plan.Replicas {
		t.Lanes = append(t.Lanes, c.lane(replica, legHeight+i*laneHeight))
	}
	if l, has := c.programLane(legHeight + len(t.Lanes)*laneHeight); has {
		t.Lanes = append(t.Lanes, l)
	}
	t.Base = legHeight + laneHeight*len(t.Lanes)
	for _, c := range t.Columns {
		if c.More != "" {
			t.Second = secondLine
		}
	}
	t.Height = t.Base + axisHeight + t.Second
	t.Sentence = timelineSentence(r, t.Lanes)
	return t
}

// columnsOf gives every stage the same width: the meaning of a stage does not depend on its
// number of steps.
func columnsOf(stages []plan.Stage, width int) []column {
	columns := make([]column, len(stages))
	room := width - gutter
	for i, stage := range stages {
		x := gutter + room*i/len(stages)
		c := column{X: x, Width: gutter + room*(i+1)/len(stages) - x, Full: stage.Name}
		c.Name, c.More = inTwo(term.Visible(stage.Name), c.Width-14)
		if i > 0 { // a stage without steps is after the one before
			c.first, c.last = columns[i-1].last+1, columns[i-1].last
		}
		if n := len(stage.Steps); n > 0 {
			c.first, c.last = stage.Steps[0].Number, stage.Steps[n-1].Number
			c.Steps = fmt.Sprintf("steps %d–%d", c.first, c.last)
			if c.Span = c.Steps; textWidth(c.Span, smallType) > c.Width-14 {
				c.Span = strings.TrimPrefix(c.Steps, "steps ")
			}
		}
		columns[i] = c
	}
	return columns
}

// inTwo breaks a stage's name before its last word if it is wider than its column.
func inTwo(name string, width int) (first, second string) {
	at := strings.LastIndex(name, " ")
	if textWidth(name, plainType) <= width || at < 0 {
		return cut(name, plainType, width), ""
	}
	return cut(name[:at], plainType, width), cut(name[at+1:], plainType, width)
}

// legsOf joins neighbouring stages of one roll-out.
func legsOf(stages []plan.Stage, columns []column) []leg {
	var legs []leg
	for i, stage := range stages {
		if stage.Rollout == "" {
			continue
		}
		end := columns[i].X + columns[i].Width
		if n := len(legs); n > 0 && stage.Rollout == stages[i-1].Rollout {
			legs[n-1].End = end
			continue
		}
		legs = append(legs, leg{X: columns[i].X, Y: legHeight / 2, End: end, Word: stage.Rollout, Arrow: arrow(stage.Rollout == term.Upgrade || stage.Rollout == term.Forgotten)})
	}
	for i := range legs {
		legs[i].Start = legs[i].X + 8 + textWidth(legs[i].Arrow+" "+string(legs[i].Word), plainType) + 8
		legs[i].LabelShown = legs[i].Start <= legs[i].End
	}
	return legs
}

// arrow returns the direction of a roll-out.
func arrow(up bool) string {
	if up {
		return "↑"
	}
	return "↓"
}

// timelineSentence returns the description of the drawing.
func timelineSentence(r view.Run, lanes []lane) string {
	var faults []string
	for _, l := range lanes {
		for _, n := range l.Notes {
			if n.Fault != "" {
				faults = append(faults, n.Full)
			}
		}
	}
	text := fmt.Sprintf("%s over %s", term.Numbered(len(r.Plan.Replicas), "replica"), term.Numbered(len(r.Plan.Stages), "stage"))
	if len(r.Result.Journey) > 0 {
		text += ": " + view.Journey(r.Result.Journey)
	}
	if len(faults) == 0 {
		return text + ". No server failed."
	}
	return text + ". " + strings.Join(faults, ". ") + "."
}

// textWidth estimates the width of a text, in pixels, generously: browsers have different
// fonts.
func textWidth(text string, size int) int {
	width := 0
	for _, r := range text {
		width += runeWidth(r) * size
	}
	return width / 100
}

// runeWidth returns a character's width in hundredths of the font's size.
func runeWidth(r rune) int {
	if r < 0x1100 {
		return 58
	}
	return 100 // such as Chinese, and most signs
}

// cut shortens a text to a width, with … at the end.
func cut(text string, size, width int) string {
	if textWidth(text, size) <= width {
		return text
	}
	room := width*100/size - runeWidth('…')
	for i, r := range text {
		if room -= runeWidth(r); room < 0 {
			return ended(text[:i])
		}
	}
	return text
}

// shortened shortens a server's message for a title.
func shortened(text string) string {
	const most = 300
	for i := range text {
		if i >= most {
			return ended(text[:i])
		}
	}
	return text
}

// ended adds a full stop and a space to a text, unless it is empty.
func ended(start string) string {
	if start == "" {
		return ""
	}
	return start + "…"
}

// faultOf describes an event for a reader of the timeline: a fault's class and its words,
// or "" if it is not a fault.
func faultOf(e history.Server) (class, words string) {
	switch e.Event {
	case history.Died:
		if e.Killed {
			return "died", "killed by another"
		}
		return "died", "died"
	case history.Unready:
		return "died", "not ready in time"
	case history.Tripped:
		return "stumbled", "tripped, started again"
	case history.EndedEarly:
		return "stumbled", "ended early, started again"
	case history.Ready:
		if e.Settles {
			return "stumbled", ", but waits a minute for " + e.Lacks
		}
		if e.Lacks != "" {
			return "stumbled", ", but lacks " + e.Lacks
		}
	}
	return "", ""
}

// mark is a chip above a stage: the number of findings with a state.
type mark struct {
	X, Y, Width int
	Text, Title string
	State       term.Outcome // "" for those without room
	Expected    bool
	Link        template.URL
}
