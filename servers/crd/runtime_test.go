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
	var r servers.Runtime = NewRuntime(below, t.TempDir(), t.TempDir(), nil)
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
// when it has ended. One that ends by itself before has no such error.
func TestWrongProgram(t *testing.T) {
	start := func(wrong *failure) (p *process, server running, left chan struct{}) {
		server, left = running{done: make(chan struct{})}, make(chan struct{})
		p = &process{Process: server, leave: func() { close(left) }, wrong: wrong, passed: make(chan struct{}), done: make(chan struct{})}
		go p.await()
		return p, server, left
	}
	right, server, left := start(newFailure())
	close(server.done)
	<-right.Done()
	assert.NoError(t, right.Err())
	<-left

	happens, wrong := newFailure(), errors.New("nobody set it up")
	p, server, left := start(happens)
	select {
	case <-p.Done():
		t.Fatal("it has not ended")
	case <-time.After(10 * time.Millisecond):
	}
	assert.NoError(t, p.Err())
	happens.set(wrong)
	happens.set(errors.New("again"))
	<-p.Done()
	assert.Equal(t, wrong, p.Err())
	select {
	case <-left:
		t.Error("it still runs")
	default:
	}
	close(server.done)
	<-left
	assert.NoError(t, happens.unreported(), "the server had it")
	alone := newFailure()
	alone.set(wrong)
	assert.Equal(t, wrong, alone.unreported())
}

// stoppable is a server that counts how often it is ended.
type stoppable struct {
	running
	ended *int
}

func (s stoppable) Stop(context.Context) error { *s.ended++; return nil }
func (s stoppable) Kill()                      { *s.ended++ }

// TestPassed: a process whose server is one of another build is done, and neither its Stop nor its Kill ends the server. That a program
// was not set up before is its error all the same.
func TestPassed(t *testing.T) {
	ended, left, happens := 0, make(chan struct{}, 3), newFailure()
	p := &process{Process: stoppable{running{done: make(chan struct{})}, &ended}, leave: func() { left <- struct{}{} }, wrong: happens, passed: make(chan struct{}), done: make(chan struct{})}
	go p.await()
	close(p.passed)
	<-p.Done()
	<-left
	assert.NoError(t, p.Err())
	assert.NoError(t, p.Stop(t.Context()))
	p.Kill()
	assert.Zero(t, ended)
	wrong := errors.New("nobody set it up")
	happens.set(wrong)
	assert.Equal(t, wrong, p.Err())

	other := &process{Process: stoppable{running{done: make(chan struct{})}, &ended}, leave: func() {}, wrong: newFailure(), passed: make(chan struct{}), done: make(chan struct{})}
	assert.NoError(t, other.Stop(t.Context()))
	assert.Equal(t, 1, ended, "its server is its own")
}
