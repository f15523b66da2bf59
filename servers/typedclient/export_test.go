package typedclient

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// What tests of the package's outside may look at.

// Recipe is what Get builds.
func Recipe(version string) (build.Recipe, error) { return recipe(version) }

// PID is the program's process ID.
func (p *Program) PID() int { return p.child.PID() }

// Panic asks for an operation that panics.
func (p *Program) Panic(ctx context.Context) error {
	_, err := p.call(ctx, schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, program.Request{Operation: program.Panic})
	return err
}

// AnswerWithin sets how long an answer may take.
func (p *Program) AnswerWithin(limit time.Duration) { p.within = limit }
