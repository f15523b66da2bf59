package apiserver

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metatable "k8s.io/apimachinery/pkg/api/meta/table"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/frobber/api"
)

// table is what kubectl get prints: columns that all releases have.
type table struct{}

func columns() []metav1.TableColumnDefinition {
	return []metav1.TableColumnDefinition{
		{Name: "Name", Type: "string", Format: "name", Description: "the object's name"},
		{Name: "Height", Type: "integer", Format: "int32", Description: "spec.height"},
		{Name: "Param", Type: "string", Description: "spec.param"},
		{Name: "Age", Type: "string", Description: "how long ago the object was created"},
	}
}

// ConvertToTable renders an object or a list of them.
func (table) ConvertToTable(_ context.Context, o, options runtime.Object) (*metav1.Table, error) {
	var t metav1.Table
	if wish, ok := options.(*metav1.TableOptions); !ok || !wish.NoHeaders {
		t.ColumnDefinitions = columns()
	}
	if l, err := meta.ListAccessor(o); err == nil {
		t.ResourceVersion, t.Continue, t.RemainingItemCount = l.GetResourceVersion(), l.GetContinue(), l.GetRemainingItemCount()
	} else if one, err := meta.CommonAccessor(o); err == nil {
		t.ResourceVersion = one.GetResourceVersion()
	}
	var err error
	t.Rows, err = metatable.MetaToTableRow(o, row)
	return &t, err
}

func row(o runtime.Object, _ metav1.Object, name, age string) ([]any, error) {
	f, ok := o.(*api.Frobber)
	if !ok {
		return []any{name, "", "", age}, nil
	}
	var height int64
	if f.Spec.Height != nil {
		height = int64(*f.Spec.Height)
	}
	return []any{name, height, f.Spec.Param, age}, nil
}
