package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// suite is the tests of the packages, compiled with the mutants.
type suite struct {
	binaries []binary
	skip     string        // pattern of tests that are not run
	tests    []test        // the quickest first
	least    time.Duration // a mutant's tests have at least this time
}

// test is one test of a package, and what it reaches of the mutants.
type test struct {
	in    binary
	name  string
	took  time.Duration
	reach map[int]bool
}

// measure runs each test alone, with no mutant on. A test that fails then is an error.
func (s *suite) measure(dir string, progress func(done, all int)) error {
	for _, b := range s.binaries {
		names, err := s.names(b)
		if err != nil {
			return err
		}
		for _, name := range names {
			s.tests = append(s.tests, test{in: b, name: name})
		}
	}
	for i, one := range s.tests {
		var err error
		if s.tests[i], err = one.measured(filepath.Join(dir, "reached")); err != nil {
			return err
		}
		progress(i+1, len(s.tests))
	}
	slices.SortStableFunc(s.tests, func(a, b test) int { return int(a.took - b.took) })
	return nil
}

// names lists the tests of a package.
func (s *suite) names(b binary) ([]string, error) {
	cmd := exec.Command(b.file, "-test.list", "^(Test|Fuzz|Example)")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w", err)
	}
	skip, err := regexp.Compile(s.skip)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool {
		return s.skip != "" && skip.MatchString(name)
	}), nil
}

// measured runs the test, which writes what it reaches to a file.
func (one test) measured(to string) (test, error) {
	began := time.Now()
	cmd := exec.Command(one.in.file, "-test.short", "-test.run", only(one.name))
	cmd.Dir, cmd.Env = one.in.dir, append(os.Environ(), "MUTANTS_REACHED="+to)
	if out, err := cmd.CombinedOutput(); err != nil {
		return test{}, fmt.Errorf("%s fails with no mutant: %w\n%s", one.name, err, out)
	}
	one.took = time.Since(began)
	raw, err := os.ReadFile(to)
	if err != nil {
		return test{}, fmt.Errorf("what %s reaches: %w", one.name, err)
	}
	one.reach = map[int]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		id, err := strconv.Atoi(lines.Text())
		if err != nil {
			return test{}, fmt.Errorf("what %s reaches: %w", one.name, err)
		}
		one.reach[id] = true
	}
	return one, nil
}

// only returns the pattern that selects these tests.
func only(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// Outcome is how the tests of a mutant ended.
type Outcome string

// The outcomes.
const (
	Killed     Outcome = "killed"
	Survived   Outcome = "survived"
	NotCovered Outcome = "not covered"
	TimedOut   Outcome = "timed out"
)

// try runs the tests that reach a mutant: the quick ones, then the others.
func (s *suite) try(id int) (Outcome, error) {
	var quick, slow []test
	for _, one := range s.tests {
		switch {
		case !one.reach[id]:
		case len(quick) < quickest && one.took < quickMost:
			quick = append(quick, one)
		default:
			slow = append(slow, one)
		}
	}
	if len(quick)+len(slow) == 0 {
		return NotCovered, nil
	}
	for _, some := range [][]test{quick, slow} {
		for _, b := range s.binaries {
			in := slices.DeleteFunc(slices.Clone(some), func(one test) bool { return one.in != b })
			if outcome, err := s.run(id, b, in); outcome != Survived || err != nil {
				return outcome, err
			}
		}
	}
	return Survived, nil
}

const (
	quickest  = 60
	quickMost = time.Second
)

// run runs tests of one package with a mutant on.
func (s *suite) run(id int, b binary, some []test) (Outcome, error) {
	if len(some) == 0 {
		return Survived, nil
	}
	var names []string
	limit := s.least
	for _, one := range some {
		names = append(names, one.name)
		limit += 5 * one.took
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.file, "-test.short", "-test.failfast", "-test.run", only(names...))
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), "MUTANT="+strconv.Itoa(id), "GOMEMLIMIT=2GiB")
	err := cmd.Run()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return TimedOut, nil
	case err == nil:
		return Survived, nil
	case errors.As(err, &failed):
		return Killed, nil
	}
	return "", fmt.Errorf("run the tests of mutant %d: %w", id, err)
}
