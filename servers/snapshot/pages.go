package snapshot

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
)

// The format of bbolt, version 2, in the byte order of the machine.
const (
	magic      = 0xED0CDAED
	version    = 2
	pageHeader = 16 // id uint64, flags uint16, count uint16, overflow uint32
	metaBytes  = 64 // see readMeta
	element    = 16 // of a branch or a leaf page
	inBucket   = 16 // root uint64, sequence uint64: how a value of a bucket begins

	isBranch = 0x01
	isLeaf   = 0x02

	bucketFlag = 0x01 // of an element of a leaf

	maxDepth = 64 // a tree of etcd's size has a depth of 6
)

var order = binary.NativeEndian

// metaPage is what a valid meta page says.
type metaPage struct {
	pageSize          int64
	root, pages, txID uint64 // pages is the number of pages in use
}

// metaOffsets returns where a meta page may begin in a file of a length: the first is at 0, and
// the second is at the size of a page.
func metaOffsets(length int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if !yield(0) {
			return
		}
		for at := int64(1024); at <= 1024<<14 && at < length-1024; at *= 2 {
			if !yield(at) {
				return
			}
		}
	}
}

// readMeta reads the meta page at an offset, and reports whether it is valid.
func readMeta(file io.ReaderAt, at int64) (m metaPage, valid bool) {
	b := make([]byte, metaBytes)
	if _, err := file.ReadAt(b, at+pageHeader); err != nil {
		return m, false
	}
	sum := fnv.New64a()
	sum.Write(b[:56])
	m = metaPage{pageSize: int64(order.Uint32(b[8:])), root: order.Uint64(b[16:]), pages: order.Uint64(b[40:]), txID: order.Uint64(b[48:])}
	return m, order.Uint32(b) == magic && order.Uint32(b[4:]) == version && order.Uint64(b[56:]) == sum.Sum64()
}

// findMeta returns the meta page that bbolt would use: the newer valid one.
func findMeta(file io.ReaderAt, length int64) (metaPage, error) {
	for at := range metaOffsets(length) {
		m, valid := readMeta(file, at)
		if !valid {
			continue
		}
		if second, valid := readMeta(file, m.pageSize); valid && second.txID > m.txID {
			m = second
		}
		return m, nil
	}
	return metaPage{}, errors.New("neither of its two meta pages is valid")
}

// pages checks the pages of a database without following any number out of bounds.
type pages struct {
	ctx  context.Context
	file io.ReaderAt
	metaPage
	seen []bool
	page []byte // the current page
}

// checkPages reports damage that bbolt would crash on, or read wrong values from.
func checkPages(ctx context.Context, file io.ReaderAt, length int64) error {
	m, err := findMeta(file, length)
	if err != nil {
		return damaged("%w", err)
	}
	if m.pageSize < 1024 || m.pageSize&(m.pageSize-1) != 0 {
		return damaged("its pages have %d bytes", m.pageSize)
	}
	if m.pages > uint64(length/m.pageSize) {
		return refuse("it has %d bytes, and its %d pages of %d bytes need more: it is truncated: %s", length, m.pages, m.pageSize, again)
	}
	p := &pages{ctx: ctx, file: file, metaPage: m, seen: make([]bool, m.pages)}
	if err := p.tree(child{id: m.root}, 0); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return damaged("%w", err)
	}
	return nil
}

// child is a page to check with the bounds of its keys: low is inclusive and high exclusive,
// and nil means no bound.
type child struct {
	id        uint64
	low, high []byte
}

// tree checks a page and all below it.
func (p *pages) tree(c child, depth int) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("page %d: the tree is deeper than %d pages", c.id, maxDepth)
	}
	flags, err := p.read(c.id)
	if err != nil {
		return fmt.Errorf("page %d: %w", c.id, err)
	}
	var below []child
	if flags == isBranch {
		below, err = branch(p.page, c)
	} else {
		below, err = leaf(p.page, c, false)
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", c.id, err)
	}
	for _, next := range below {
		if err := p.tree(next, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// read reads a page with those that continue it, and returns its type.
func (p *pages) read(id uint64) (flags uint16, err error) {
	if id < 2 || id >= p.pages {
		return 0, fmt.Errorf("there are %d pages", p.pages)
	}
	var header [pageHeader]byte
	if _, err := p.file.ReadAt(header[:], int64(id)*p.pageSize); err != nil {
		return 0, err
	}
	flags = order.Uint16(header[8:])
	more := uint64(order.Uint32(header[12:]))
	switch {
	case order.Uint64(header[:]) != id:
		return 0, fmt.Errorf("its number says %d", order.Uint64(header[:]))
	case flags != isBranch && flags != isLeaf:
		return 0, fmt.Errorf("its type is %#x, neither branch nor leaf", flags)
	case id+more >= p.pages:
		return 0, fmt.Errorf("it continues for %d pages, and there are %d in all", more, p.pages)
	}
	for i := id; i <= id+more; i++ {
		if p.seen[i] {
			return 0, fmt.Errorf("there are two references to page %d", i)
		}
		p.seen[i] = true
	}
	length := int64(more+1) * p.pageSize
	if int64(cap(p.page)) < length {
		p.page = make([]byte, length)
	}
	p.page = p.page[:length]
	_, err = p.file.ReadAt(p.page, int64(id)*p.pageSize)
	return flags, err
}

// part returns length bytes from an offset.
func part(page []byte, at, length int64) ([]byte, error) {
	if at < 0 || length < 0 || at+length > int64(len(page)) {
		return nil, fmt.Errorf("an element has bytes %d to %d of %d", at, at+length, len(page))
	}
	return page[at : at+length], nil
}

// branch returns the pages below a branch page.
func branch(page []byte, c child) (below []child, err error) {
	count := int64(order.Uint16(page[10:]))
	if count == 0 {
		return nil, errors.New("it is a branch of nothing")
	}
	var last []byte
	for i := range count {
		at := pageHeader + i*element
		e, err := part(page, at, element)
		if err != nil {
			return nil, err
		}
		key, err := part(page, at+int64(order.Uint32(e)), int64(order.Uint32(e[4:])))
		if err != nil {
			return nil, err
		}
		if err := c.holds(key, last, i > 0); err != nil {
			return nil, err
		}
		last = bytes.Clone(key) // the page is overwritten by the next one
		if i > 0 {
			below[i-1].high = last
		}
		below = append(below, child{id: order.Uint64(e[8:]), low: last, high: c.high})
	}
	return below, nil
}

// leaf checks the elements of a leaf page, and returns the buckets below it.
func leaf(page []byte, c child, inline bool) (below []child, err error) {
	var last []byte
	for i := range int64(order.Uint16(page[10:])) {
		at := pageHeader + i*element
		e, err := part(page, at, element)
		if err != nil {
			return nil, err
		}
		from, length := at+int64(order.Uint32(e[4:])), int64(order.Uint32(e[8:]))
		key, err := part(page, from, length)
		if err != nil {
			return nil, err
		}
		value, err := part(page, from+length, int64(order.Uint32(e[12:])))
		if err != nil {
			return nil, err
		}
		if err := c.holds(key, last, i > 0); err != nil {
			return nil, err
		}
		last = key
		if order.Uint32(e)&bucketFlag == 0 {
			continue
		}
		if inline {
			return nil, errors.New("a bucket is in an inline bucket")
		}
		if below, err = bucket(value, below); err != nil {
			return nil, err
		}
	}
	return below, nil
}

// bucket checks the value of a bucket: small ones are in it, others are pages below.
func bucket(value []byte, below []child) ([]child, error) {
	if len(value) < inBucket {
		return nil, fmt.Errorf("a bucket has %d bytes", len(value))
	}
	if root := order.Uint64(value); root != 0 {
		return append(below, child{id: root}), nil
	}
	page := value[inBucket:]
	if len(page) < pageHeader || order.Uint16(page[8:]) != isLeaf {
		return nil, errors.New("an inline bucket is not a leaf page")
	}
	_, err := leaf(page, child{}, true)
	return below, err
}

// holds checks the order of a key: within the bounds of its page, and after the last.
func (c child) holds(key, last []byte, after bool) error {
	if after && bytes.Compare(last, key) >= 0 || bytes.Compare(key, c.low) < 0 || c.high != nil && bytes.Compare(key, c.high) >= 0 {
		return errors.New("its keys are not in order")
	}
	return nil
}
