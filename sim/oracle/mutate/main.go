package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	shard  shard
	files  string
	sample int
	seed   uint64
	out    string
	list   string
	budget time.Duration
	id     int
	skip   string
	least  time.Duration
	kinds  string
	again  string
	alive  map[Mutant]bool // of the reports in again
}

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	o := options{shard: shard{1, 1}}
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.Var(&o.shard, "shard", "Part of the mutants to try, such as 2/8 (default: 1/1, all).")
	flags.StringVar(&o.files, "files", "*", "Patterns of names of the files to mutate, with or without their folders, with commas between.")
	flags.StringVar(&o.kinds, "kinds", "*", "Patterns of kinds of mutants, such as 'empty function', with commas between.")
	flags.IntVar(&o.sample, "sample", 0, "Number of mutants to try, taken at random by -seed (default: all).")
	flags.Uint64Var(&o.seed, "seed", 1, "Seed of -sample.")
	flags.DurationVar(&o.budget, "budget", 0, "Time after which no further mutant is tried (default: no limit).")
	flags.StringVar(&o.out, "out", "out/mutation", "Directory to write the report to.")
	flags.StringVar(&o.list, "list", "", "Directory of reports to print, in place of a run.")
	flags.DurationVar(&o.least, "least", 30*time.Second, "Time that the tests of a mutant have, to which five times that of the right code is added.")
	flags.StringVar(&o.skip, "skip", "", "Pattern of names of tests that are not run.")
	flags.StringVar(&o.again, "again", "", "Directory of reports: only the mutants that survived in these are tried.")
	flags.IntVar(&o.id, "mutant", 0, "Number of the only mutant to try.")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.list != "" {
		all, err := read(o.list)
		if err != nil {
			return err
		}
		printSummary(os.Stdout, all)
		printSurvivors(os.Stdout, all)
		return nil
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%d packages: give one, such as ./sim/oracle", flags.NArg())
	}
	return o.run(flags.Arg(0))
}

// run tries the mutants of a package, and writes the report.
func (o options) run(pattern string) error {
	p, err := load(pattern)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.again != "" {
		before, err := read(o.again)
		if err != nil {
			return err
		}
		o.alive = survivors(before)
	}
	binaries, all, err := p.build(dir)
	if err != nil {
		return err
	}
	s := &suite{binaries: binaries, skip: o.skip, least: o.least}
	if err := s.measure(dir, progress("tests measured")); err != nil {
		return err
	}
	report := Report{Package: pattern, Shard: o.shard.String()}
	report.Mutants, err = o.try(s, o.choose(all))
	printSummary(os.Stdout, report.Mutants)
	return errors.Join(err, report.write(o.out, o.shard))
}

// try tries mutants until none is left, the time is over, or the command is interrupted.
func (o options) try(s *suite, chosen []Mutant) (tried []Result, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	began, tell := time.Now(), progress("mutants tried")
	for i, m := range chosen {
		if ctx.Err() != nil || o.budget > 0 && time.Since(began) > o.budget {
			fmt.Fprintf(os.Stderr, "%d of %d mutants were not tried\n", len(chosen)-i, len(chosen))
			break
		}
		outcome, err := s.try(m.ID)
		if err != nil {
			return tried, err
		}
		tried = append(tried, Result{m, outcome})
		printSurvivors(os.Stderr, tried[i:])
		tell(i+1, len(chosen))
	}
	return tried, nil
}

// progress returns a function that prints the progress of a loop from time to time.
func progress(what string) func(done, all int) {
	last := time.Now()
	return func(done, all int) {
		if time.Since(last) > 10*time.Second || done == all {
			last = time.Now()
			fmt.Fprintf(os.Stderr, "%d of %d %s\n", done, all, what)
		}
	}
}

// choose returns the mutants to try. A sample is in random order, so that a run whose time
// is over has a sample too.
func (o options) choose(all []Mutant) (some []Mutant) {
	for _, m := range all {
		if o.id == m.ID || o.id == 0 && matches(o.files, m.File) && matches(o.kinds, string(m.Kind)) && (o.again == "" || o.alive[m.moved()]) {
			some = append(some, m)
		}
	}
	if o.sample > 0 || o.budget > 0 {
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	some = o.shard.pick(some)
	if o.sample > 0 {
		some = some[:min(o.sample, len(some))]
	}
	return some
}

func matches(patterns, name string) bool {
	return slices.ContainsFunc(strings.Split(patterns, ","), func(pattern string) bool {
		whole, err := path.Match(pattern, name)
		base, _ := path.Match(pattern, path.Base(name))
		return err == nil && (whole || base)
	})
}

// shard is one of several parts of the mutants.
type shard struct{ part, of int }

func (s *shard) String() string { return fmt.Sprintf("%d/%d", s.part, s.of) }

// Set reads a part such as 2/8.
func (s *shard) Set(text string) error {
	part, of, _ := strings.Cut(text, "/")
	i, errPart := strconv.Atoi(part)
	n, errOf := strconv.Atoi(of)
	if errPart != nil || errOf != nil || i < 1 || i > n {
		return fmt.Errorf("%q: want a part such as 2/8", text)
	}
	*s = shard{i, n}
	return nil
}

// pick returns the shard's part: each n-th, so that every file is in every part.
func (s shard) pick(all []Mutant) (some []Mutant) {
	for i := s.part - 1; i < len(all); i += s.of {
		some = append(some, all[i])
	}
	return some
}
