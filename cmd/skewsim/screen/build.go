package screen

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// pulse is how often a long build prints a line where no bar is drawn.
const pulse = 15 * time.Second

// Build shows one build: a bar on a terminal, elsewhere a line now and then. It implements
// builder.Work.
type Build struct {
	w     io.Writer
	what  string
	bar   *progressbar.ProgressBar
	began time.Time
	last  time.Time
}

// NewBuild returns what shows the build of a name. A writer that is a [BuildRow] shows its
// progress in the row.
func NewBuild(w io.Writer, name string) *Build {
	return &Build{w: w, what: name, began: time.Now()}
}

// Phase prints what the build does now.
func (b *Build) Phase(text string) {
	b.End()
	fmt.Fprintln(b.w, text)
	b.last = time.Now()
}

// Packages shows how many packages are compiled.
func (b *Build) Packages(done, total int) {
	if r, ok := b.w.(*BuildRow); ok {
		r.packages(done, total)
		return
	}
	if _, ok := sized(b.w); ok {
		b.draw(done, total)
		return
	}
	if time.Since(b.last) < pulse {
		return
	}
	b.last = time.Now()
	fmt.Fprintf(b.w, "%s: %d of %d packages compiled after %s\n", b.what, done, total, time.Since(b.began).Round(time.Second))
}

func (b *Build) draw(done, total int) {
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.w), progressbar.OptionSetDescription(b.what),
			progressbar.OptionShowCount(), progressbar.OptionSetItsString("packages"), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	}
	// A bar that cannot be drawn does not stop a build.
	_ = b.bar.Set(min(done, total))
}

// End removes the bar.
func (b *Build) End() {
	if b.bar != nil {
		_ = b.bar.Finish()
		b.bar = nil
	}
}
