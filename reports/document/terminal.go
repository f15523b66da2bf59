package document

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TerminalOptions fit a document to a terminal.
type TerminalOptions struct {
	// Width is the terminal's; 0 if it is unknown.
	Width int
	// Color uses ANSI colours. Words say everything without them.
	Color bool
}

const (
	maxLine     = 2000 // characters of a text where no width cuts it
	minText     = 30   // characters that a line has at least, however narrow the terminal is
	maxColumn   = 60   // characters of an aligned column that is not the last, where a width cuts
	minNumber   = 8    // characters of an aligned column of numbers
	maxReadable = 100  // characters of a line in a paragraph
	minReadable = 36
)

// colors are SGR parameters.
var colors = map[Severity]string{Faint: "2", Good: "32;1", Warning: "33;1", Bad: "31;1"}

// Terminal writes a document for a terminal. Colours repeat what words say, so that a pipe or a
// file loses nothing.
func Terminal(w io.Writer, d Document, o TerminalOptions) error {
	t := &terminal{TerminalOptions: o}
	indent := 0
	head := func() {
		if d.Verdict.isEmpty() {
			t.line(0, Brief(d.Title, maxLine))
		} else {
			indent = 2
			t.apart()
			t.line(0, t.paint(d.Verdict.Severity, strings.ToUpper(term.Visible(d.Verdict.Word)))+"  "+Brief(d.Title, maxLine))
		}
		for _, c := range d.Lead {
			t.line(indent, beside(t.paint(c.Mark.Severity, Brief(c.Mark.words(), maxLine)), " ", plain(c.Text)))
		}
	}
	if d.Verdict.isEmpty() {
		head()
	}
	for _, s := range d.Sections {
		if s.Only != InMarkdown {
			t.section(s)
		}
	}
	if d.Verdict.isEmpty() {
		t.apart()
	} else {
		head()
	}
	if d.Command != "" {
		t.line(indent, "again: "+term.Visible(d.Command))
	}
	for _, place := range d.Places {
		t.line(indent, term.Visible(place))
	}
	if d.Ended != "" {
		t.apart()
		t.line(indent, t.paint(Bad, "ended early:")+" "+Brief(d.Ended, maxLine))
	}
	return Write(w, "summary", append(bytes.TrimRight(t.Bytes(), "\n"), '\n'))
}

// terminal is a text that is being written.
type terminal struct {
	bytes.Buffer
	TerminalOptions
}

// line writes a line that no CI runner takes for a command.
func (t *terminal) line(indent int, text string) {
	fmt.Fprintln(t, term.WithoutCommand(strings.Repeat(" ", indent)+text))
}

// apart leaves a line empty between two parts.
func (t *terminal) apart() {
	if t.Len() > 0 {
		t.line(0, "")
	}
}

func (t *terminal) paint(s Severity, text string) string {
	if !t.Color || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + colors[s] + "m" + text + "\x1b[0m"
}

// beside joins two texts of which either may be empty.
func beside(first, between, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + between + second
}

// plain returns a text as a terminal shows it: code is like prose.
func plain(text Text) string {
	var b strings.Builder
	for _, span := range text {
		b.WriteString(term.Visible(span.Text))
	}
	return Brief(b.String(), maxLine)
}

// cut keeps a text that is behind so many characters within the terminal's width.
func (t *terminal) cut(s Section, text string, behind int) string {
	if s.Whole || t.Width == 0 {
		return text
	}
	return Brief(text, max(t.Width-behind-2, minText))
}

func (t *terminal) section(s Section) {
	t.apart()
	indent := 0
	if s.Inner {
		indent = 2
	}
	if s.Title != "" {
		t.line(indent, Brief(s.Title, maxLine))
	}
	within := indent
	if s.Title != "" {
		within += 2
	}
	if len(s.Text) > 0 {
		t.paragraph(within, plain(s.Text))
	}
	t.rows(s, indent+2)
	if len(s.After) > 0 {
		t.line(indent+2, t.cut(s, plain(s.After), indent+2))
	}
}

// paragraph writes lines of a readable width.
func (t *terminal) paragraph(indent int, text string) {
	width := maxReadable
	if t.Width > 0 {
		width = min(width, max(t.Width, minReadable))
	}
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && indent+len([]rune(line))+1+len([]rune(word)) > width {
			t.line(indent, line)
			line = ""
		}
		line = beside(line, " ", word)
	}
	t.line(indent, line)
}

// rows writes as many rows as a terminal shows, and counts the others.
func (t *terminal) rows(s Section, indent int) {
	shown := s.Rows
	alike, similar := map[string]int{}, 0
	if s.Alike > 0 {
		shown = slices.DeleteFunc(slices.Clone(shown), func(r Row) bool {
			alike[r.Kind]++
			return r.Kind != "" && alike[r.Kind] > s.Alike
		})
		similar = len(s.Rows) - len(shown)
	}
	left := 0
	if s.Lines > 0 && len(shown) > s.Lines {
		shown, left = shown[:s.Lines], len(shown)-s.Lines
	}
	switch {
	case s.Aligned:
		t.aligned(s, shown, indent)
	case len(s.Columns) > 0:
		for _, r := range shown {
			t.record(s, r, indent)
		}
	default:
		t.list(s, shown, indent)
	}
	if left > 0 {
		t.line(indent, "and "+more(left, s.Noun))
	}
	if similar > 0 {
		t.line(indent, beside(t.mark(s.Mark), "  ", fmt.Sprintf("and %d more of the same kinds: see the report", similar)))
	}
}

// more counts what is left out: "1 more write", or "3 more".
func more(n int, noun string) string {
	if noun == "" {
		return fmt.Sprintf("%d more", n)
	}
	return term.Counted(n, "more "+noun, "more "+noun+"s")
}

func (t *terminal) mark(m Mark) string { return t.paint(m.Severity, Brief(m.words(), maxLine)) }

// list writes items: the first text of each beside its mark, the others below.
func (t *terminal) list(s Section, rows []Row, indent int) {
	widest := 0
	for _, r := range rows {
		widest = max(widest, len([]rune(Brief(r.Cells[0].Mark.words(), maxColumn))))
	}
	for _, r := range rows {
		mark, width := t.mark(s.Mark), len([]rune(s.Mark.words()))
		if widest > 0 {
			mark, width = t.paint(r.Cells[0].Mark.Severity, padded(Brief(r.Cells[0].Mark.words(), maxColumn), widest)), widest
		}
		if mark == "" {
			t.line(indent, "- "+t.cut(s, plain(r.Cells[0].Text), indent+2))
		} else {
			t.line(indent, beside(mark, "  ", t.cut(s, plain(r.Cells[0].Text), indent+width+2)))
		}
		for _, c := range r.Cells[1:] {
			if text := beside(t.mark(c.Mark), "  ", plain(c.Text)); text != "" {
				t.line(indent+4, t.cut(s, text, indent+4))
			}
		}
		t.rows(Section{Rows: r.Rows, Lines: s.Alike, Whole: s.Whole}, indent+4)
	}
}

// record writes a row of a table in lines: the columns that are beside each other in one.
func (t *terminal) record(s Section, r Row, indent int) {
	mark := t.mark(r.Cells[0].Mark)
	width := len([]rune(r.Cells[0].Mark.words())) + 2
	t.line(indent, beside(mark, "  ", t.cut(s, plain(r.Cells[1].Text), indent+width)))
	line := ""
	end := func() {
		if line != "" {
			t.line(indent+4, t.cut(s, line, indent+4))
		}
		line = ""
	}
	for i, c := range r.Cells[2:] {
		column := s.Columns[i+2]
		if !column.Beside {
			end()
		}
		if column.Only != InMarkdown {
			line = beside(line, " · ", plain(c.Text))
		}
	}
	end()
	for _, text := range r.Whole {
		t.line(indent+4, plain(text))
	}
}

// aligned writes a table in columns. The last column has a line of its own below each row where the width leaves it
// too little.
func (t *terminal) aligned(s Section, rows []Row, indent int) {
	if len(rows) == 0 {
		return
	}
	head := Row{}
	for _, c := range s.Columns {
		head = head.With(c.Head)
	}
	shown := slices.DeleteFunc(indices(s.Columns), func(i int) bool { return s.Columns[i].Only == InMarkdown })
	hasHead := !slices.ContainsFunc(shown, func(i int) bool { return s.Columns[i].Head == "" })
	if hasHead {
		rows = slices.Insert(slices.Clone(rows), 0, head)
	}
	widths := make([]int, len(s.Columns))
	for _, i := range shown {
		if s.Columns[i].Right {
			widths[i] = minNumber
		}
		for _, r := range rows {
			widths[i] = max(widths[i], len([]rune(t.cellText(r.Cells[i]))))
		}
	}
	before := indent
	for _, i := range shown[:len(shown)-1] {
		before += widths[i] + 2
	}
	below := t.Width > 0 && !s.Whole && t.Width-before-2 < minText
	for n, r := range rows {
		isHead := hasHead && n == 0
		line, width := "", 0
		for n, i := range shown {
			if n == len(shown)-1 && below {
				break
			}
			if n > 0 {
				gap := "  "
				if s.Columns[shown[n-1]].Right && s.Columns[i].Right {
					gap = " "
				}
				line, width = line+gap, width+len(gap)
			}
			if n == len(shown)-1 {
				line += t.paint(r.Cells[i].Mark.Severity, t.cut(s, plainCell(r.Cells[i]), indent+width))
				break
			}
			text := padded(t.cellText(r.Cells[i]), widths[i])
			if s.Columns[i].Right {
				text = strings.Repeat(" ", max(0, widths[i]-len([]rune(t.cellText(r.Cells[i]))))) + t.cellText(r.Cells[i])
			}
			line, width = line+t.paint(r.Cells[i].Mark.Severity, text), width+widths[i]
		}
		t.line(indent, strings.TrimRight(line, " "))
		if last := r.Cells[shown[len(shown)-1]]; below && !isHead && plainCell(last) != "" {
			t.line(indent+4, t.paint(last.Mark.Severity, t.cut(s, plainCell(last), indent+4)))
		}
		for _, text := range r.Whole {
			t.line(indent+4, plain(text))
		}
	}
}

func indices(columns []Column) []int {
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	return all
}

// plainCell returns a cell without colours.
func plainCell(c Cell) string {
	mark, text := Brief(c.Mark.words(), maxLine), plain(c.Text)
	if mark == "" || text == "" {
		return mark + text
	}
	return mark + ": " + text
}

// cellText returns a cell of a column that is not the last.
func (t *terminal) cellText(c Cell) string {
	runes := []rune(plainCell(c))
	if t.Width > 0 && len(runes) > maxColumn {
		return string(runes[:maxColumn-2]) + " …"
	}
	return string(runes)
}

// padded returns a text with spaces up to a width in characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-len([]rune(text))))
}
