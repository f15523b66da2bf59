package typedclient

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/gobuild"
)

// What tests of the package's outside may look at.

// Recipe is what Get builds.
func Recipe(version string) (gobuild.Recipe, error) { return recipe(version) }

// Frame is what goes through the pipes.
func Frame(id uint32, parts ...[]byte) ([]byte, error) { return appendFrame(nil, id, parts...) }

// ReadFrame reads what came through one.
var ReadFrame = readFrame

// PID is the program's process ID.
func (p *Program) PID() int { return p.child.PID() }

// Panic asks for an operation that panics.
func (p *Program) Panic(ctx context.Context) error {
	_, err := p.call(ctx, schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, request{Operation: "panic"})
	return err
}
