package screen

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Builds shows several builds that are made at once: on a terminal one line with the progress
// of each, below what was printed; elsewhere a line of each now and then.
type Builds struct {
	w     io.Writer
	foot  *foot // nil: nothing can be redrawn
	mutex sync.Mutex
	rows  []*BuildRow
	drawn []string
}

// NewBuilds returns what shows builds on a writer.
func NewBuilds(w io.Writer) *Builds {
	b := &Builds{w: w}
	if size, ok := sized(w); ok {
		b.foot = &foot{w: w, size: size}
	}
	return b
}

// BuildRow is one of the builds. It prints lines that are written to it with the name of the
// build.
type BuildRow struct {
	builds      *Builds
	name        string
	began, last time.Time
	done, total int
	partial     []byte
}

// Row adds a build.
func (b *Builds) Row(name string) *BuildRow {
	r := &BuildRow{builds: b, name: name}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.rows = append(b.rows, r)
	return r
}

// Write prints whole lines, each after the name of the build unless it begins with it.
func (r *BuildRow) Write(p []byte) (int, error) {
	r.builds.mutex.Lock()
	defer r.builds.mutex.Unlock()
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
		r.builds.put(text)
		r.partial = slices.Clone(rest)
	}
}

// packages shows how many packages are compiled.
func (r *BuildRow) packages(done, total int) {
	r.builds.mutex.Lock()
	defer r.builds.mutex.Unlock()
	r.done, r.total = done, total
	if r.began.IsZero() {
		r.began, r.last = time.Now(), time.Now()
	}
	if r.builds.foot != nil {
		r.builds.draw()
		return
	}
	if time.Since(r.last) >= pulse {
		r.last = time.Now()
		r.builds.put(fmt.Sprintf("%s: %d of %d packages compiled after %s", r.name, done, total, time.Since(r.began).Round(time.Second)))
	}
}

// End removes the build from the line.
func (r *BuildRow) End() {
	r.builds.mutex.Lock()
	defer r.builds.mutex.Unlock()
	r.total = 0
	r.builds.draw()
}

// Print prints a line.
func (b *Builds) Print(text string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.put(text)
}

// put prints a line above the line of the builds.
func (b *Builds) put(text string) {
	if b.foot == nil {
		fmt.Fprintln(b.w, text)
		return
	}
	b.foot.draw(b.line(), text)
}

func (b *Builds) draw() {
	if b.foot == nil {
		return
	}
	if line := b.line(); !slices.Equal(line, b.drawn) {
		b.drawn = line
		b.foot.draw(line)
	}
}

// line returns the line of the builds; nil: no build is under way.
func (b *Builds) line() []string {
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

// Close removes the line of the builds.
func (b *Builds) Close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.foot != nil {
		b.foot.draw(nil)
	}
}
