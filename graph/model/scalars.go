// Package model holds the Go forms of the contract's types that no table or room has.
package model

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// JSON is any JSON value.
type JSON = any

// MarshalJSON writes a JSON value.
func MarshalJSON(v any) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("null")
		}
		w.Write(b)
	})
}

// UnmarshalJSON takes a JSON value as it is.
func UnmarshalJSON(v any) (any, error) { return v, nil }

// MarshalTime writes RFC 3339 in UTC with microseconds.
func MarshalTime(t time.Time) graphql.Marshaler {
	if t.IsZero() {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		io.WriteString(w, strconv.Quote(t.UTC().Format("2006-01-02T15:04:05.000000Z")))
	})
}

// UnmarshalTime reads RFC 3339.
func UnmarshalTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, fmt.Errorf("a time is a string such as 2026-11-30T21:04:05Z")
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not an RFC 3339 time such as 2026-11-30T21:04:05Z", s)
	}
	return t.UTC().Truncate(time.Microsecond), nil
}
