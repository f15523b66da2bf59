package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/plan"
)

// pulse is how often a long build says that it lives when nobody watches a bar.
const pulse = 15 * time.Second

// terminalWidth is the writer's width when it is a terminal, and false when it
// is a pipe or a file.
func terminalWidth(w io.Writer) (int, bool) {
	if o, ok := w.(*output); ok {
		w = o.File
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, true
	}
	return width, true
}

// leastWidth and leastHeight are those of a terminal on which a table can be read.
const leastWidth, leastHeight = 60, 5

// screen is what tells a terminal's width and height; false where nothing can be drawn
// anew in its place: in a pipe or a file, on a terminal that TERM says nothing better of
// than dumb, or on one that is too small or does not know its size, as those of CI.
func screen(w io.Writer) (size func() (width, height int), ok bool) {
	if o, is := w.(*output); is {
		w = o.File
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, false
	}
	size = func() (int, int) {
		width, height, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0, 0
		}
		return width, height
	}
	return size, canDraw(os.Getenv("TERM"), size)
}

func canDraw(kind string, size func() (width, height int)) bool {
	width, height := size()
	return kind != "" && kind != "dumb" && width >= leastWidth && height >= leastHeight
}

// textOptions fits the summary to where it is written; NO_COLOR is heeded.
func (a *app) textOptions(report string) reports.TextOptions { return textOptions(a.out, report) }

func textOptions(w io.Writer, report string) reports.TextOptions {
	width, terminal := terminalWidth(w)
	return reports.TextOptions{Width: width, Color: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", ReportPath: report}
}

// steps shows a run's steps: one line each.
type steps struct {
	w     io.Writer
	quiet bool
	mu    sync.Mutex
}

func (s *steps) Stage(stage plan.Stage) {
	text := stage.Name + ":"
	for _, r := range stage.Replicas {
		text += fmt.Sprintf(" %s=%s", r.Replica, r.Role)
	}
	s.print(text)
}

func (s *steps) Step(step plan.Step, outcome string) {
	if s.quiet && step.Action == plan.Operate {
		return
	}
	s.print(fmt.Sprintf("%5d  %s: %s", step.Number, step, outcome))
}

func (s *steps) Note(text string) { s.print(text) }

func (s *steps) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.w, text)
}

// building shows a build: a bar on a terminal, else a line now and then.
type building struct {
	w     io.Writer
	what  string
	bar   *progressbar.ProgressBar
	began time.Time
	last  time.Time
}

func newBuilding(w io.Writer, what string) *building {
	return &building{w: w, what: what, began: time.Now()}
}

func (b *building) Phase(text string) {
	b.End()
	fmt.Fprintln(b.w, text)
	b.last = time.Now()
}

func (b *building) Packages(done, total int) {
	if r, several := b.w.(*work); several {
		r.packages(done, total)
		return
	}
	if _, ok := screen(b.w); ok {
		b.draw(done, total)
		return
	}
	if time.Since(b.last) < pulse {
		return
	}
	b.last = time.Now()
	fmt.Fprintf(b.w, "%s: %d of %d packages compiled after %s\n", b.what, done, total, time.Since(b.began).Round(time.Second))
}

func (b *building) draw(done, total int) {
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.w), progressbar.OptionSetDescription(b.what),
			progressbar.OptionShowCount(), progressbar.OptionSetItsString("packages"), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	}
	// A bar that cannot be drawn is no reason to stop a build.
	_ = b.bar.Set(min(done, total))
}

func (b *building) End() {
	if b.bar != nil {
		_ = b.bar.Finish()
		b.bar = nil
	}
}
