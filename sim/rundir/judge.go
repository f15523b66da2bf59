package rundir

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Judgement is the history of a run directory with the oracle's result. It still holds the
// values of Secrets.
type Judgement struct {
	History *history.History
	Schemas oracle.Schemas
	Result  result.Result
	Ledger  result.Ledger
}

// Judged is a run that was judged.
type Judged struct {
	Dir       string // the run directory
	Judgement Judgement
	Ended     error     // what ended the run early
	Began     time.Time // when judging began
	IsLeg     bool      // the run is a leg of a chain
}

// Judge judges a run directory without a server. scenario names the file whose expectations
// count; "": those that the run recorded. It returns an error if the directory has no
// readable history or schema, and a user's error if the file does not plan what the run
// did.
func Judge(dir, scenario string) (Judgement, error) {
	h, err := history.Load(dir)
	if err != nil {
		return Judgement{}, err
	}
	large := h.Size >= largeHistory && h.Size*judgedSize > roomForJudging()
	if large {
		spareMemory()
	}
	var notes []string
	if scenario != "" {
		if notes, err = expecting(h, scenario); err != nil {
			return Judgement{}, fault.ByUser(err)
		}
	}
	schemas, err := loadSchemas(dir, h)
	if err != nil {
		return Judgement{}, err
	}
	res, ledger := oracle.Judge(h, schemas)
	res.Tool = h.Header.Tool
	res.Notes = append(res.Notes, notes...)
	if large {
		debug.FreeOSMemory() // the trace and the evidence are garbage now, and writing needs room
	}
	return Judgement{h, schemas, res, ledger}, h.Err()
}

// A history of at least that size, about two thousand copies, is judged with less memory, if judging it may take more than
// there is room for: judgedSize times its size.
const (
	largeHistory = 64 << 20
	judgedSize   = 8
)

// roomForJudging returns the memory limit of the program; 0 if nobody has set one.
func roomForJudging() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	return 0
}

// spareMemory collects garbage earlier from now on: that halves the memory beside what is in
// use. A GOGC that the user sets stays.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
}

// loadSchemas reads what each release published, in parallel. A run that ended before it
// asked a release has no schema; its history says so.
func loadSchemas(dir string, h *history.History) (oracle.Schemas, error) {
	var (
		group errgroup.Group
		mu    sync.Mutex
		all   = oracle.Schemas{}
	)
	for role, release := range h.Releases {
		load := func(role term.Role, files map[string]string, tags string) {
			group.Go(func() error {
				parsed, err := loadSchema(dir, release.Version, files, tags)
				mu.Lock()
				defer mu.Unlock()
				all[role] = parsed
				return err
			})
		}
		load(role, release.Schemas, release.GateTags)
		if release.Types != nil {
			load(oracle.OfClients(role), release.Types, "")
		}
	}
	return all, group.Wait()
}

func loadSchema(dir, version string, files map[string]string, tags string) (*schema.Schema, error) {
	var documents [][]byte
	for _, gv := range slices.Sorted(maps.Keys(files)) {
		document, err := loadDocument(dir, version, gv, files[gv])
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
	parsed, err := schema.Parse(documents)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s: %w", dir, version, err)
	}
	if tags == "" {
		return parsed, nil
	}
	text, err := loadDocument(dir, version, "the gates", tags)
	if err != nil {
		return nil, err
	}
	named, err := schema.ReadTags(text)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s: %w", dir, version, err)
	}
	return parsed.WithTags(named), nil
}

// loadDocument reads one file of a run's schemas, and checks it against the digest in its
// name.
func loadDocument(dir, version, what, file string) ([]byte, error) {
	document, err := readSchema(filepath.Join(dir, "schemas", filepath.Base(file)))
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s is missing, so the run cannot be judged: %w", dir, version, err)
	}
	if named, _, _ := strings.Cut(file, "."); history.Digest(document) != named {
		return nil, fmt.Errorf("%s: the schema of %s of %s is not the one that the run recorded: its content does not match the digest in its name, so the run cannot be judged",
			dir, what, version)
	}
	return document, nil
}

// readSchema reads a schema's file, which may come from elsewhere, so it refuses files that
// are longer than any valid schema.
func readSchema(file string) ([]byte, error) {
	f, err := servers.OpenRegular(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, schema.MaxDocument+1))
}
