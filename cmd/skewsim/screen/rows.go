package screen

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/skewsim/skewsim/servers/fault"
)

// Rows prints rows as kubectl does: a table, names alone, or JSON.
func Rows[T any](w io.Writer, format string, all []T, header []string, columns func(T) []string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(append([]T{}, all...))
	case "name":
		for _, row := range all {
			fmt.Fprintln(w, columns(row)[0])
		}
		return nil
	case "table":
		table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
		fmt.Fprintln(table, strings.Join(header, "\t"))
		for _, row := range all {
			fmt.Fprintln(table, strings.Join(columns(row), "\t"))
		}
		return table.Flush()
	}
	return fault.ByUser(fmt.Errorf("--output %q: not a format (table, name, json)", format))
}
