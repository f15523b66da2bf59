package storage

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// maxShown is how many bytes of one value a line shows.
const maxShown = 1024

// String prints the content, line by line.
func (c Content) String() string { return strings.Join(c.Lines(), "\n") }

// Lines prints the content, so that two values can be compared line by line:
// for protobuf one line for each value, with the numbers of the fields that
// lead to it, such as 2.8.1[1] for the second field 1 in field 8 in field 2;
// else the object as JSON with sorted keys.
func (c Content) Lines() []string {
	lines := []string{strings.TrimRight(fmt.Sprintf("%s %s %s", c.Encoding, c.APIVersion, c.Kind), " ")}
	if c.Unread != "" {
		lines = append(lines, "unread: "+c.Unread)
	}
	if c.Object != nil {
		raw, err := json.MarshalIndent(c.Object, "", " ")
		if err != nil { // what was decoded can hold a number that JSON has no word for
			return append(lines, "unread: "+err.Error())
		}
		return append(lines, strings.Split(string(raw), "\n")...)
	}
	return appendFields(lines, "", c.Fields)
}

func appendFields(lines []string, above string, fields []Field) []string {
	seen := map[int]int{}
	for _, f := range fields {
		at := fmt.Sprintf("%s%d", above, f.ID)
		if seen[f.ID] > 0 {
			at += fmt.Sprintf("[%d]", seen[f.ID])
		}
		seen[f.ID]++
		switch f.Form {
		case Message:
			lines = appendFields(lines, at+".", f.Fields)
		case Stored:
			lines = appendStored(lines, at, *f.Content)
		default:
			lines = append(lines, at+" = "+f.text())
		}
	}
	return lines
}

func appendStored(lines []string, at string, c Content) []string {
	inner := c.Lines()
	lines = append(lines, at+" = stored "+inner[0])
	for _, line := range inner[1:] {
		lines = append(lines, at+"/"+line)
	}
	return lines
}

// text shows a value that has no parts.
func (f Field) text() string {
	switch {
	case f.Form == Number && f.Wire == Varint && f.Number > math.MaxInt64:
		return fmt.Sprintf("%d (%d)", f.Number, int64(f.Number))
	case f.Form == Number && f.Wire == Fixed64:
		return fmt.Sprintf("fixed64 %#016x", f.Number)
	case f.Form == Number && f.Wire == Fixed32:
		return fmt.Sprintf("fixed32 %#08x", f.Number)
	case f.Form == Number:
		return fmt.Sprint(f.Number)
	case f.Form == Text:
		return short(f.Bytes, "%q")
	}
	return short(f.Bytes, "bytes %x")
}

// short shows the beginning of what is long, and its digest, so that two long
// values that differ are shown differently.
func short(b []byte, format string) string {
	if len(b) <= maxShown {
		return fmt.Sprintf(format, b)
	}
	return fmt.Sprintf(format+"... (%d bytes, sha256 %x)", b[:maxShown], len(b), sha256.Sum256(b))
}
