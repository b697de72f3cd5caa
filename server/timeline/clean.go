package timeline

import "strings"

// Clean makes a JSON value fit to be stored: PostgreSQL refuses NUL in text and JSON, and bytes that are not UTF-8. A job prints what
// it likes, and its events must be stored all the same. Maps and lists are copied, the caller's stay as they are.
func Clean(v any) any {
	switch v := v.(type) {
	case string:
		return CleanText(v)
	case []string:
		out := make([]string, len(v))
		for i, s := range v {
			out[i] = CleanText(s)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Clean(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[CleanText(k)] = Clean(x)
		}
		return out
	}
	return v
}

// CleanText shows a NUL as the symbol for it and bytes that are not UTF-8 as U+FFFD.
func CleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\u2400")
}
