package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// works shows several builds that are made at once: on a terminal one line that says how
// far each is, below all that was said; elsewhere a line of each now and then.
type works struct {
	w     io.Writer
	foot  *foot // nil: nothing can be drawn anew
	mutex sync.Mutex
	rows  []*work
	drawn []string
}

func newWorks(w io.Writer) *works {
	b := &works{w: w}
	if size, ok := screen(w); ok {
		b.foot = &foot{w: w, size: size}
	}
	return b
}

// work is one of the builds. What is written to it is printed below the build's name.
type work struct {
	board       *works
	name        string
	began, last time.Time
	done, total int
	partial     []byte
}

func (b *works) row(name string) *work {
	r := &work{board: b, name: name}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.rows = append(b.rows, r)
	return r
}

// Write prints whole lines, each after the build's name unless it begins with that.
func (r *work) Write(p []byte) (int, error) {
	r.board.mutex.Lock()
	defer r.board.mutex.Unlock()
	r.partial = append(r.partial, p...)
	for {
		line, rest, whole := bytes.Cut(r.partial, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		text := string(line)
		if !strings.HasPrefix(text, r.name+": ") {
			text = r.name + ": " + text
		}
		r.board.put(text)
		r.partial = slices.Clone(rest)
	}
}

// packages says how far the build is.
func (r *work) packages(done, total int) {
	r.board.mutex.Lock()
	defer r.board.mutex.Unlock()
	r.done, r.total = done, total
	if r.began.IsZero() {
		r.began, r.last = time.Now(), time.Now()
	}
	if r.board.foot != nil {
		r.board.draw()
		return
	}
	if time.Since(r.last) >= pulse {
		r.last = time.Now()
		r.board.put(fmt.Sprintf("%s: %d of %d packages compiled after %s", r.name, done, total, time.Since(r.began).Round(time.Second)))
	}
}

// end takes the build off the line.
func (r *work) end() {
	r.board.mutex.Lock()
	defer r.board.mutex.Unlock()
	r.total = 0
	r.board.draw()
}

func (b *works) print(text string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.put(text)
}

// put prints a line above that of the builds.
func (b *works) put(text string) {
	if b.foot == nil {
		fmt.Fprintln(b.w, text)
		return
	}
	b.foot.draw(b.line(), text)
}

func (b *works) draw() {
	if b.foot == nil {
		return
	}
	if line := b.line(); !slices.Equal(line, b.drawn) {
		b.drawn = line
		b.foot.draw(line)
	}
}

// line is that of the builds, if any is under way.
func (b *works) line() []string {
	var parts []string
	for _, r := range b.rows {
		switch {
		case r.total > 0 && r.done == r.total:
			parts = append(parts, r.name+" linking")
		case r.total > 0:
			parts = append(parts, fmt.Sprintf("%s %d/%d", r.name, r.done, r.total))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, " · ")}
}

func (b *works) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.foot != nil {
		b.foot.draw(nil)
	}
}
