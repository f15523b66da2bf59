package path

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// maxElements bounds a path. API servers refuse JSON that nests deeper than 10000, so no object
// has a value further down.
const maxElements = 10000

// Parse reads a path. The empty text is the empty path, which means the whole
// object. Errors name the text and the position, counted in bytes from 1.
func Parse(text string) (fieldpath.Path, error) {
	s := scanner{text: text}
	var p fieldpath.Path
	for s.pos < len(s.text) {
		e, err := s.element()
		if err == nil && len(p) == maxElements {
			err = s.errorf("more than %d elements", maxElements)
		}
		if err != nil {
			return nil, err
		}
		p = append(p, e)
	}
	return p, nil
}

// scanner walks the text of one path; pos is the next byte to read.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) element() (fieldpath.PathElement, error) {
	switch {
	case s.skip('.'):
		return s.plainField()
	case s.skip('['):
		e, err := s.bracket()
		if err == nil && !s.skip(']') {
			err = s.unexpected(`"]"`)
		}
		return e, err
	}
	if s.pos == 0 {
		return fieldpath.PathElement{}, s.errorf("a path starts at the object's root with %q or %q, as .spec does", ".", "[")
	}
	return fieldpath.PathElement{}, s.oddName()
}

func (s *scanner) plainField() (fieldpath.PathElement, error) {
	if name := s.plain(); name != "" {
		return fieldpath.FieldNameElement(name), nil
	}
	return fieldpath.PathElement{}, s.unexpected("a field's name")
}

// oddName returns the error for keys such as app.kubernetes.io/name, whose dots read as the
// start of further fields.
func (s *scanner) oddName() error {
	return s.errorf(`unexpected %q: a name that holds more than letters, digits, "_", "-" and "$" is quoted whole, as in .metadata.labels["app.kubernetes.io/name"]`, s.next())
}

// bracket reads the text between [ and ].
func (s *scanner) bracket() (fieldpath.PathElement, error) {
	switch {
	case s.pos == len(s.text):
		return fieldpath.PathElement{}, s.unexpected("a name, a key or an index")
	case s.skip('='):
		v, err := s.scalar()
		return fieldpath.PathElement{Value: &v}, err
	case s.text[s.pos] == '"':
		return s.quotedField()
	case startsKey(s.text[s.pos]):
		return s.key(s.plain())
	}
	return s.index()
}

// quotedField reads ["name"], or a key whose first name is quoted.
func (s *scanner) quotedField() (fieldpath.PathElement, error) {
	name, err := s.quoted()
	if err != nil || s.at(']') {
		return fieldpath.FieldNameElement(name), err
	}
	return s.key(name)
}

func (s *scanner) index() (fieldpath.PathElement, error) {
	start := s.pos
	word := s.word()
	i, err := strconv.Atoi(word)
	if err != nil || strconv.Itoa(i) != word {
		s.pos = start
		return fieldpath.PathElement{}, s.unexpected(`a quoted name, a key such as name="v", a value such as ="v" or an index`)
	}
	return fieldpath.IndexElement(i), nil
}

// key reads the rest of name=value,name=value; the first name is read already.
func (s *scanner) key(name string) (fieldpath.PathElement, error) {
	var fields value.FieldList
	for {
		f, err := s.keyField(name, fields)
		if err != nil {
			return fieldpath.PathElement{}, err
		}
		fields = append(fields, f)
		if !s.skip(',') {
			fields.Sort()
			return fieldpath.PathElement{Key: &fields}, nil
		}
		if name, err = s.nextKeyName(); err != nil {
			return fieldpath.PathElement{}, err
		}
	}
}

func (s *scanner) keyField(name string, before value.FieldList) (value.Field, error) {
	for _, f := range before {
		if f.Name == name {
			return value.Field{}, s.errorf("key %q is given twice", name)
		}
	}
	if !s.skip('=') {
		return value.Field{}, s.unexpected(fmt.Sprintf(`"=" after key %q`, name))
	}
	v, err := s.scalar()
	return value.Field{Name: name, Value: v}, err
}

func (s *scanner) nextKeyName() (string, error) {
	switch {
	case s.at('"'):
		return s.quoted()
	case s.pos < len(s.text) && startsKey(s.text[s.pos]):
		return s.plain(), nil
	}
	return "", s.unexpected("a key's name")
}

// scalar reads a string, a number, a boolean or null.
func (s *scanner) scalar() (value.Value, error) {
	if s.at('"') {
		text, err := s.quoted()
		return value.NewValueInterface(text), err
	}
	start := s.pos
	v, ok := scalarOf(s.word())
	if !ok {
		s.pos = start
		return nil, s.unexpected("a quoted string, a number, true, false or null")
	}
	return value.NewValueInterface(v), nil
}

func scalarOf(word string) (v any, ok bool) {
	switch word {
	case "null":
		return nil, true
	case "true", "false":
		return word == "true", true
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(word, 64)
	finite := !math.IsInf(f, 0) && !math.IsNaN(f)
	return f, err == nil && finite
}

// word reads up to the end of the key, the bracket or the text.
func (s *scanner) word() string {
	rest := s.text[s.pos:]
	if end := strings.IndexAny(rest, ",]"); end >= 0 {
		rest = rest[:end]
	}
	s.pos += len(rest)
	return rest
}

func (s *scanner) plain() string {
	start := s.pos
	for s.pos < len(s.text) && isPlainByte(s.text[s.pos]) {
		s.pos++
	}
	return s.text[start:s.pos]
}

func (s *scanner) quoted() (string, error) {
	literal, err := strconv.QuotedPrefix(s.text[s.pos:])
	if err != nil {
		return "", s.errorf("a quoted string that does not end, or holds an escape Go does not know")
	}
	text, err := strconv.Unquote(literal)
	s.pos += len(literal)
	return text, err
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.text) && s.text[s.pos] == c }

func (s *scanner) skip(c byte) bool {
	if !s.at(c) {
		return false
	}
	s.pos++
	return true
}

// next returns the next rune as text, or the byte where that is not UTF-8.
func (s *scanner) next() string {
	_, size := utf8.DecodeRuneInString(s.text[s.pos:])
	return s.text[s.pos : s.pos+size]
}

func (s *scanner) unexpected(want string) error {
	if s.pos == len(s.text) {
		return s.errorf("the path ends where %s is expected", want)
	}
	return s.errorf("unexpected %q where %s is expected", s.next(), want)
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("%q: position %d: %s", s.text, s.pos+1, fmt.Sprintf(format, args...))
}
