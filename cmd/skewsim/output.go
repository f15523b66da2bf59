package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/scenarios/term"
)

// output is where commands print. A reader that closes the pipe (| head) is not an error.
// output remembers any other error, since most callers ignore the error of a print.
type output struct {
	*os.File
	mutex  sync.Mutex
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		return len(p), nil
	}
	if err != nil {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		o.failed = err
	}
	return n, err
}

// Locked returns a writer for several goroutines: what each writes at once stays together.
func Locked(to io.Writer) io.Writer { return &locked{to: to} }

type locked struct {
	mutex sync.Mutex
	to    io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.to.Write(p)
}

// Screen returns what shows a run on out, and its warnings on err.
func (a *App) Screen(out, err io.Writer, quiet bool) *screen.Run {
	return &screen.Run{Out: out, Err: err, Quiet: quiet, AllowImpacts: a.AllowsImpacts()}
}

// Unwritten returns the error that kept a part of the output from being written.
func (a *App) Unwritten() error {
	o, ok := a.Out.(*output)
	if !ok {
		return nil
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.failed == nil {
		return nil
	}
	return fmt.Errorf("the output could not be written: %w", o.failed)
}

// PrintJSON prints an indented JSON document. No text in it acts on a terminal.
func PrintJSON(w io.Writer, v any) error {
	return printJSON(w, v, "  ")
}

func printJSON(w io.Writer, v any, indent string) error {
	var document bytes.Buffer
	enc := json.NewEncoder(&document)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(term.VisibleJSON(document.Bytes()))
	return err
}

// OutputFlag registers --output of a command that lists things.
func OutputFlag(c *cobra.Command, output *string) {
	c.Flags().StringVarP(output, "output", "o", "table", "`format`: table, name or json")
}
