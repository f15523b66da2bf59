package document

// Document is a report for readers: what it is about, its answer, and sections.
type Document struct {
	// Verdict is how a run ended. A terminal shows it with the title and the lead last,
	// where readers look first; a document without one begins with its title.
	Verdict Mark
	Title   string
	// Lead is the answer and what a reader must know first, a paragraph each.
	Lead     []Cell
	Sections []Section
	// Ended is why the report is incomplete; "" for a complete one.
	Ended string
	// Command repeats what is reported.
	Command string
	// Places say where files are. Only a terminal shows them: Markdown is read elsewhere.
	Places []string
	// Page is the name of the page that has what other formats leave out.
	Page string
	// MaxText is the number of characters of one text in a list or a table of Markdown.
	MaxText int
}

// Section is a list or a table with its heading. A section without rows and text is its
// heading alone.
type Section struct {
	// Title begins with a small letter; "" for none.
	Title string
	// Inner sections belong to the last section that is not inner.
	Inner bool
	// Folded sections open on a click in Markdown.
	Folded bool
	// Only is the format that shows the section; Everywhere unless set.
	Only Medium
	// Text is a paragraph above the rows, After one below them.
	Text, After Text
	// Columns make the rows a table. On a terminal they are a row's lines, unless Aligned.
	Columns []Column
	Aligned bool
	Rows    []Row
	// Mark stands before each row of a list on a terminal, whose lines may be read without
	// their heading.
	Mark Mark
	// Room is the number of bytes that the rows have in Markdown: 3000 unless set.
	Room int
	// MaxText is the number of characters of one text in Markdown, if it is another than the document's.
	MaxText int
	// Lines is the number of rows that a terminal shows; 0 for all. The rest is counted.
	Lines int
	// Alike is the number of rows of one kind that a terminal shows; 0 for all.
	Alike int
	// Noun is what rows are, for the count of those left out: "write".
	Noun string
	// Whole texts are not cut to a terminal's width.
	Whole bool
}

// Medium is a format that alone shows a section.
type Medium string

// The formats of a document.
const (
	Everywhere Medium = ""
	OnTerminal Medium = "terminal"
	InMarkdown Medium = "markdown"
)

// Column is a column of a table.
type Column struct {
	// Head is its heading. In Markdown a column without one joins the column before it.
	Head string
	// Right aligns numbers.
	Right bool
	// Beside puts the cell on the line of the column before it, on a terminal.
	Beside bool
	// Only is the format that shows the column; Everywhere unless set.
	Only Medium
}

// Row is an item of a list, or a row of a table.
type Row struct {
	Cells []Cell
	// Address leads to the evidence. A terminal shows none.
	Address string
	// Kind is what similar rows share: see Section.Alike.
	Kind string
	// Whole are lines that are not cut: Markdown has no room for them.
	Whole []Text
	// Rows are items of this item: a terminal shows Section.Alike of them, Markdown ten.
	Rows []Row
}

// Cell is a mark, a text or both.
type Cell struct {
	Mark Mark
	Text Text
}

// Mark is a verdict or an outcome as readers see it: its sign, its word and its severity.
type Mark struct {
	Sign, Word string
	Severity   Severity
}

// Severity decides the colour of a mark, which repeats what its word says.
type Severity int

// The severities of marks.
const (
	Plain Severity = iota
	Faint
	Good
	Warning
	Bad
)

func (m Mark) isEmpty() bool { return m.Word == "" }

// words returns the sign and the word.
func (m Mark) words() string {
	if m.Sign == "" {
		return m.Word
	}
	return m.Sign + " " + m.Word
}

// Text is prose and code, as they came.
type Text []Span

// Span is a part of a text: prose, or code.
type Span struct {
	Text string
	Code bool
}

// Prose returns a text that is prose; "" is an empty text.
func Prose(text string) Text { return Text(nil).Prose(text) }

// Code returns a text that is code.
func Code(text string) Text { return Text(nil).Code(text) }

// Prose returns the text with prose behind it.
func (t Text) Prose(text string) Text {
	if text == "" {
		return t
	}
	return append(t[:len(t):len(t)], Span{Text: text})
}

// Code returns the text with code behind it.
func (t Text) Code(text string) Text {
	if text == "" {
		return t
	}
	return append(t[:len(t):len(t)], Span{Text: text, Code: true})
}

// Marked returns a cell with a mark alone.
func Marked(m Mark) Cell { return Cell{Mark: m} }

// Cells returns a row of prose.
func Cells(texts ...string) Row { return Row{}.With(texts...) }

// With returns the row with more cells of prose.
func (r Row) With(texts ...string) Row {
	for _, text := range texts {
		r.Cells = append(r.Cells, Cell{Text: Prose(text)})
	}
	return r
}

// List returns rows with one text each.
func List(texts []string) []Row {
	rows := make([]Row, len(texts))
	for i, text := range texts {
		rows[i] = Cells(text)
	}
	return rows
}

// Paragraphs returns prose for a lead, without empty texts.
func Paragraphs(texts ...string) (lead []Cell) {
	for _, text := range texts {
		if text != "" {
			lead = append(lead, Cell{Text: Prose(text)})
		}
	}
	return lead
}

// Add adds sections, except those that have nothing to say.
func (d *Document) Add(sections ...Section) {
	for _, s := range sections {
		if len(s.Rows)+len(s.Text)+len(s.After) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
}
