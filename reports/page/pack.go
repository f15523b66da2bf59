package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
)

// The page's data is three kinds of blocks: an index, which is enough to draw the states at
// first; the rows' details; and the bodies. The latter two are cut into chunks, and each is
// decompressed when something in it is opened.

// chunkBytes is the size of a chunk before compression. Half a megabyte decompresses in
// some ten milliseconds, and is large enough to compress well.
const chunkBytes = 512 << 10

// StatesBlock is one compressed part of the page's data.
type StatesBlock struct {
	ID   string
	Text template.HTML
}

// DrawStates compresses the data for the states of copies.
func DrawStates(r view.Run) ([]StatesBlock, error) {
	p := newPacker(r)
	if err := p.addCopies(); err != nil {
		return nil, err
	}
	bodies, err := p.bodies.blocks()
	if err != nil {
		return nil, err
	}
	p.index.Chunks = len(p.packed)
	p.index.Bodies, p.index.Omitted = p.bodies.starts, len(p.bodies.omitted)
	p.index.Strings = p.texts.list
	text, err := encode(p.index)
	if err != nil {
		return nil, fmt.Errorf("pack-index: %w", err)
	}
	index, err := document.Compress(text)
	if err != nil {
		return nil, fmt.Errorf("pack-index: %w", err)
	}
	all := append([]StatesBlock{{ID: "pack-index", Text: index}}, p.packed...)
	return append(all, bodies...), nil
}

// addRows adds the rows of a copy, the next in the order of the ledger, and compresses the
// chunk that they fill.
func (p *packer) addRows(at int, rows []byte) error {
	p.chunk = append(p.chunk, ',')
	p.chunk = strconv.AppendQuote(p.chunk, strconv.Itoa(at))
	p.chunk = append(p.chunk, ':')
	p.chunk = append(p.chunk, rows...)
	p.index.Copies.Chunk[at] = len(p.packed)
	if len(p.chunk) < chunkBytes && at < len(p.run.Ledger.Copies)-1 {
		return nil
	}
	text := append([]byte(`{"copies":{`), p.chunk[1:]...) // without the first comma
	packed, err := document.Compress(append(text, "}}"...))
	if err != nil {
		return fmt.Errorf("pack-rows: %w", err)
	}
	p.packed = append(p.packed, StatesBlock{ID: fmt.Sprintf("pack-rows-%d", len(p.packed)), Text: packed})
	p.chunk = p.chunk[:0]
	return nil
}

// encode returns a value as JSON in one line. It escapes nothing for HTML: compressed data
// is no markup.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(value); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
