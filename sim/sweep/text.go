package sweep

import (
	"encoding/json"
	"fmt"
)

// TextOf returns a value as text; "" for none.
func TextOf(value any) string {
	if value == nil {
		return ""
	}
	if text, is := value.(string); is {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
