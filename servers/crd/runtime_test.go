package crd

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// teller is a runtime that only answers for gates.
type teller struct {
	servers.Runtime
	asked []string // versions
}

func (t *teller) Gate(_ context.Context, b servers.Build, name string) (string, bool, error) {
	t.asked = append(t.asked, b.Version)
	return "BETA - default=true", name == "Glow", nil
}

func (t *teller) Gates(_ context.Context, b servers.Build) (map[string]string, error) {
	t.asked = append(t.asked, b.Version)
	return map[string]string{"Glow": "BETA - default=true"}, nil
}

func (t *teller) TakesOver(b servers.Build) string {
	t.asked = append(t.asked, b.Version)
	return "Glow"
}

// TestGates: the runtime below answers for gates; for manifests, with the gates of the server
// that they are installed on.
func TestGates(t *testing.T) {
	below := &teller{}
	var r servers.Runtime = NewRuntime(below, t.TempDir(), t.TempDir())
	gates, is := r.(servers.GateTeller)
	if !is {
		t.Fatal("it does not implement servers.GateTeller")
	}
	server := servers.Build{Version: "v1.37.0"}
	for _, b := range []servers.Build{server, {Version: "v2", Installs: &servers.Installation{Server: server}}} {
		if says, has, err := gates.Gate(t.Context(), b, "Glow"); says == "" || !has || err != nil {
			t.Errorf("%s: %q, %t, %v", b.Version, says, has, err)
		}
		if all, err := gates.Gates(t.Context(), b); len(all) != 1 || err != nil {
			t.Errorf("%s: %v, %v", b.Version, all, err)
		}
		if gates.TakesOver(b) != "Glow" {
			t.Errorf("%s: no gate takes over", b.Version)
		}
	}
	for _, version := range below.asked {
		if version != "v1.37.0" {
			t.Errorf("asked %v", below.asked)
		}
	}
}

// running is a server that runs until it is ended.
type running struct {
	servers.Process
	done chan struct{}
}

func (r running) Done() <-chan struct{} { return r.done }
func (r running) Err() error            { return nil }

// TestWrongProgram: a server counts as ended, with the user's error, once a program beside it says that nobody set it up; it leaves
// when it has ended. Of another program it hears nothing.
func TestWrongProgram(t *testing.T) {
	beside, other := newPrograms("", ""), newPrograms("", "")
	left := make(chan struct{})
	start := func(leave func()) (*process, running) {
		r := running{done: make(chan struct{})}
		p := &process{Process: r, leave: leave, wrong: newFailure(), done: make(chan struct{})}
		go p.await(beside)
		return p, r
	}
	p, server := start(func() { close(left) })
	other.wrong.set(errors.New("of another"))
	select {
	case <-p.Done():
		t.Fatal("it has not ended")
	case <-time.After(10 * time.Millisecond):
	}
	assert.NoError(t, p.Err())
	wrong := errors.New("nobody set it up")
	beside.wrong.set(wrong)
	beside.wrong.set(errors.New("again"))
	<-p.Done()
	assert.Equal(t, wrong, p.Err())
	select {
	case <-left:
		t.Error("it still runs")
	default:
	}
	close(server.done)
	<-left
}
