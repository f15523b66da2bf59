package document

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skewsim/skewsim/scenarios/term"
)

const (
	maxTitle     = 600    // characters of a heading
	maxParagraph = 1000   // characters of a paragraph
	maxInner     = 10     // items of an item
	maxCommand   = 3_000  // bytes of a command
	defaultRoom  = 3_000  // bytes of a section's rows
	maxDocument  = 62_000 // bytes of everything but the command: a comment on a pull request holds 65536 characters
)

// Markdown writes a document for a comment on a pull request or the summary of a CI job. No text
// has a meaning in Markdown or on a forge. Each section has a limit, and so have all of them together: the
// document fits into a comment, whatever its texts are, and says what it leaves out. Addresses of evidence are no links, since there is no page beside a comment.
func Markdown(w io.Writer, name string, d Document) error {
	m := &markdown{page: d.Page, most: d.MaxText}
	title := prose(d.Title, maxTitle)
	if !d.Verdict.isEmpty() {
		title = markOf(d.Verdict, maxTitle) + ": " + title
	}
	m.Line("### %s", title)
	if d.Ended != "" {
		m.paragraph("**Ended early: " + prose(d.Ended, maxParagraph) + "**")
	}
	for _, c := range d.Lead {
		text := m.text(c.Text, maxParagraph)
		if word := markOf(c.Mark, maxParagraph); word != "" && text != "" {
			text = "**" + word + "** " + text
		} else {
			text = word + text
		}
		m.paragraph(text)
	}
	m.sections(d.Sections)
	switch {
	case d.Command == "":
	case len(d.Command) > maxCommand: // one that is cut repeats nothing
		m.paragraph("The command that repeats this is in " + d.Page + ".")
	default:
		m.paragraph("Again: " + CodeSpan(term.Visible(d.Command)))
	}
	return Write(w, name, m.Bytes())
}

// markdown is a document that is being written.
type markdown struct {
	MarkdownLines
	page  string
	most  int // characters of a text
	spare int // bytes that earlier sections had room for, and did not need
}

// sections writes the sections that there is room for, and how many are left out.
func (m *markdown) sections(all []Section) {
	all = slices.DeleteFunc(slices.Clone(all), func(s Section) bool { return s.Only == OnTerminal })
	for i, s := range all {
		before := m.Len()
		if m.section(s); m.Len() > maxDocument {
			m.Truncate(before)
			m.paragraph("And " + term.Numbered(len(all)-i, "section") + " more, in " + m.page + ".")
			return
		}
	}
}

// MarkdownLines is Markdown that is being written, line by line. Writing to a buffer cannot fail.
type MarkdownLines struct{ bytes.Buffer }

// Line writes one line.
func (p *MarkdownLines) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (m *markdown) paragraph(text string) { m.Line("\n%s", text) }

func prose(text string, most int) string { return ProseOf(Brief(text, most)) }

// text returns a text as Markdown, with at most so many characters.
func (m *markdown) text(t Text, most int) string {
	var b strings.Builder
	for _, span := range t {
		part := Brief(span.Text, most)
		most = max(most-len([]rune(part)), 0)
		switch {
		case part == " …": // nothing of it is left
		case span.Code:
			part = CodeSpan(part)
		default:
			part = ProseOf(part)
		}
		if strings.HasSuffix(b.String(), "`") && strings.HasPrefix(part, "`") {
			b.WriteString(" ") // two code spans that touch would be one
		}
		b.WriteString(part)
	}
	return b.String()
}

// cell returns a mark, a text or both.
func (m *markdown) cell(c Cell) string {
	mark, text := markOf(c.Mark, m.most), m.text(c.Text, m.most)
	if mark == "" || text == "" {
		return mark + text
	}
	return mark + ": " + text
}

// markOf returns the sign and the word of a mark. A sign is one character; one that could begin
// anything in Markdown is code.
func markOf(m Mark, most int) string {
	word := prose(m.Word, most)
	if m.Sign == "" || word == "" {
		return word
	}
	sign := Brief(m.Sign, 1)
	if utf8.RuneCountInString(m.Sign) != 1 || strings.ContainsAny(sign, "`*_<[]#@|\\&+-") {
		sign = CodeSpan(sign)
	}
	return sign + " " + word
}

// tableCell returns a cell of a table, which a bar ends even in code.
func (m *markdown) tableCell(c Cell) string { return strings.ReplaceAll(m.cell(c), "|", `\|`) }

func (m *markdown) section(s Section) {
	if s.MaxText > 0 {
		usual := m.most
		m.most = s.MaxText
		defer func() { m.most = usual }()
	}
	if s.Title != "" {
		switch title := capitalized(s.Title); {
		case s.Folded:
			m.paragraph("<details><summary>" + summary(Brief(title, maxTitle)) + "</summary>")
		case s.Inner:
			m.paragraph("**" + prose(title, maxTitle) + "**")
		default:
			m.paragraph("#### " + prose(title, maxTitle))
		}
	}
	if len(s.Text) > 0 {
		m.paragraph(m.text(s.Text, maxParagraph))
	}
	if len(s.Rows) > 0 {
		m.Line("")
		if len(s.Columns) > 0 {
			m.table(s)
		} else {
			m.limited(s, func(r Row) string { return m.item(r, "- ") }, "- and %s, in %s")
		}
	}
	if len(s.After) > 0 {
		m.paragraph(m.text(s.After, m.most))
	}
	if s.Folded && s.Title != "" {
		m.paragraph("</details>")
	}
}

// limited writes as many rows as there is room for, and then how many are left out. It does not
// format the others. Room that is left is the next section's.
func (m *markdown) limited(s Section, line func(Row) string, left string) {
	room := cmp.Or(s.Room, defaultRoom) + m.spare
	m.spare = 0
	for i, r := range s.Rows {
		text := line(r)
		room -= len(text) + 1
		if room < 0 {
			m.Line(left, more(len(s.Rows)-i, s.Noun), m.page)
			return
		}
		m.Line("%s", text)
	}
	m.spare = room
}

// item returns an item of a list with its own items.
func (m *markdown) item(r Row, bullet string) string {
	var parts []string
	for _, c := range r.Cells {
		if text := m.cell(c); text != "" {
			parts = append(parts, text)
		}
	}
	text := bullet + strings.Join(parts, ": ")
	if r.Address != "" {
		text += " (" + CodeSpan(Brief(r.Address, m.most)) + ")"
	}
	for i, inner := range r.Rows {
		if i == maxInner {
			return text + fmt.Sprintf("\n  - and %d more, in %s", len(r.Rows)-i, m.page)
		}
		text += "\n" + m.item(inner, "  - ")
	}
	return text
}

func (m *markdown) table(s Section) {
	head, rule := "|", "|"
	for _, c := range s.Columns {
		if !c.inMarkdown() {
			continue
		}
		head += " " + m.tableCell(Cell{Text: Prose(c.Head)}) + " |"
		if c.Right {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	m.Line("%s\n%s", head, rule)
	m.limited(s, func(r Row) string { return m.tableRow(s, r) }, "| and %s, in %s "+strings.Repeat("|", strings.Count(rule, "|")-1))
}

// inMarkdown reports whether the column is one of Markdown's own.
func (c Column) inMarkdown() bool { return c.Head != "" && c.Only != OnTerminal }

func (m *markdown) tableRow(s Section, r Row) string {
	line := ""
	for i, column := range s.Columns {
		text := m.tableCell(r.Cells[i])
		switch {
		case column.Only == OnTerminal:
		case column.Head != "":
			line += " | " + text
		case text != "":
			line += between(line) + text
		}
	}
	return strings.TrimPrefix(line, " ") + " |"
}

// between returns what separates a column that has no heading from the one before it.
func between(line string) string {
	if strings.HasSuffix(line, "| ") {
		return ""
	}
	return "; "
}

// capitalized begins a heading with a capital letter, unless that is a version's.
func capitalized(text string) string {
	if text[0] >= utf8.RuneSelf || len(text) > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// summary returns the heading of a folded section, which is HTML: what could mean anything there or
// on a forge is code.
func summary(title string) string {
	words := strings.Split(title, " ")
	for i, word := range words {
		if word != "" && !isTame(word) {
			words[i] = "<code>" + html.EscapeString(word) + "</code>"
		} else {
			words[i] = html.EscapeString(word)
		}
	}
	return strings.Join(words, " ")
}
