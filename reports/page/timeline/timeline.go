package timeline

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Timeline is the journey drawn: a column for each stage, a lane for each
// replica, and above them what was found. Numbers are pixels of the drawing.
type Timeline struct {
	Width, Height int // of the lanes' drawing
	Strip         int // the height of the drawing of findings; 0: none
	Middle        int // of the strip
	Base          int // where the axis lies
	Second        int // the height of the names' second line; 0: none has one
	Crowded       bool
	Sentence      string // what a reader who does not see it is told
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
	Steps, Span string // whole, and as there is room
	first, last int    // steps
}

// leg is one roll-out, over the stages that it takes.
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
	stair        = 7 // the new release stands so much higher than the old one
	axisHeight   = 44
	secondLine   = 14
	smallType    = 11
	signWidth    = 15 // of the sign before a note
	plainType    = 12
)

// Draw draws the plan's stages and what the history tells of servers.
// A plan without stages gives the zero value.
func Draw(r view.Run) Timeline {
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
	t.Base = legHeight + laneHeight*len(t.Lanes)
	for _, c := range t.Columns {
		if c.More != "" {
			t.Second = secondLine
		}
	}
	t.Height = t.Base + axisHeight + t.Second
	t.Sentence = sentenceOf(r, t.Lanes)
	return t
}

// columnsOf gives every stage the same width: what a stage means does not hang
// on how many steps it has.
func columnsOf(stages []plan.Stage, width int) []column {
	columns := make([]column, len(stages))
	room := width - gutter
	for i, stage := range stages {
		x := gutter + room*i/len(stages)
		c := column{X: x, Width: gutter + room*(i+1)/len(stages) - x, Full: stage.Name}
		c.Name, c.More = inTwo(view.Visible(stage.Name), c.Width-14)
		if i > 0 { // a stage without steps lies after the one before
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

// inTwo breaks a stage's name before its last word where it is wider than its place.
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
		legs = append(legs, leg{X: columns[i].X, Y: legHeight / 2, End: end, Word: stage.Rollout, Arrow: arrow(stage.Rollout == term.Upgrade)})
	}
	for i := range legs {
		legs[i].Start = legs[i].X + 8 + textWidth(legs[i].Arrow+" "+string(legs[i].Word), plainType) + 8
		legs[i].LabelShown = legs[i].Start <= legs[i].End
	}
	return legs
}

// arrow shows which way a roll-out goes.
func arrow(up bool) string {
	if up {
		return "↑"
	}
	return "↓"
}

// sentenceOf tells the drawing's gist.
func sentenceOf(r view.Run, lanes []lane) string {
	var faults []string
	for _, l := range lanes {
		for _, n := range l.Notes {
			if n.Fault != "" {
				faults = append(faults, n.Full)
			}
		}
	}
	text := fmt.Sprintf("%d replicas over %d stages", len(r.Plan.Replicas), len(r.Plan.Stages))
	if len(r.Result.Journey) > 0 {
		text += ": " + view.Journey(r.Result.Journey)
	}
	if len(faults) == 0 {
		return text + ". No server failed."
	}
	return text + ". " + strings.Join(faults, ". ") + "."
}

// textWidth estimates how wide a text is drawn, in pixels, on the safe side:
// browsers have different fonts.
func textWidth(text string, size int) int {
	width := 0
	for _, r := range text {
		width += runeWidth(r) * size
	}
	return width / 100
}

// runeWidth is a character's width in hundredths of the type's size.
func runeWidth(r rune) int {
	if r < 0x1100 {
		return 58
	}
	return 100 // such as Chinese, and most signs
}

// cut shortens a text to a width, and ends it in … where it was longer.
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

// shortened shortens what a server said to what a title can show.
func shortened(text string) string {
	const most = 300
	for i := range text {
		if i >= most {
			return ended(text[:i])
		}
	}
	return text
}

// ended ends a text that goes on. Of nothing it makes nothing.
func ended(start string) string {
	if start == "" {
		return ""
	}
	return start + "…"
}

// faultOf tells what an event means to a reader of the timeline: a fault's
// class and its words, or "" where all went well.
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
		if e.Lacks != "" {
			return "stumbled", ", but lacks " + e.Lacks
		}
	}
	return "", ""
}

// mark is a chip above a stage: how many findings of a state it has.
type mark struct {
	X, Y, Width int
	Text, Title string
	State       term.State // "" for what had no room
	Expected    bool
	Link        template.URL
}
