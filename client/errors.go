package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The codes that callers act on; they are extensions.code of the API.
const (
	Unauthenticated      = "UNAUTHENTICATED"
	Forbidden            = "FORBIDDEN"
	NotFound             = "NOT_FOUND"
	InvalidInput         = "INVALID_INPUT"
	Conflict             = "CONFLICT"
	ComputerNotAvailable = "COMPUTER_NOT_AVAILABLE"
	AlreadyRetried       = "ALREADY_RETRIED"
	RetryLimit           = "RETRY_LIMIT"
	LeaseLost            = "LEASE_LOST"
	RateLimited          = "RATE_LIMITED"
	Busy                 = "BUSY"
	Internal             = "INTERNAL"
)

// Error is a refusal by the server: it was reached, and said no.
type Error struct {
	Code       string
	Message    string // one English sentence that says what to do
	Field      string // the input field at fault, for INVALID_INPUT
	Path       string // the root field of the operation that failed; "variable" or empty for the operation itself
	Status     int    // of HTTP; GraphQL errors come inside 200
	Extensions map[string]any
	Others     []*Error // further errors of the same answer
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Message
}

// Long reads a whole number among the extensions, such as nextLine.
func (e *Error) Long(key string) (int64, bool) {
	switch v := e.Extensions[key].(type) {
	case float64:
		return int64(v), true
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	case int64:
		return v, true
	}
	return 0, false
}

// NetworkError says that no answer came: the request may or may not have been carried out.
type NetworkError struct{ Err error }

func (e *NetworkError) Error() string { return "the server did not answer: " + e.Err.Error() }
func (e *NetworkError) Unwrap() error { return e.Err }

// As finds the server's refusal in an error; nil when there is none.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Code is the code of an error, empty when the server did not say one.
func Code(err error) string {
	if e := As(err); e != nil {
		return e.Code
	}
	return ""
}

// Is tells whether the server refused with this code.
func Is(err error, code string) bool { return err != nil && Code(err) == code }

// Unanswered tells whether no answer came, so that the server may or may not have acted.
func Unanswered(err error) bool {
	var n *NetworkError
	return errors.As(err, &n)
}

func fromList(list gqlerror.List) error {
	if len(list) == 0 {
		return nil
	}
	var first *Error
	for _, g := range list {
		e := fromGraphQL(g)
		if first == nil {
			first = e
		} else {
			first.Others = append(first.Others, e)
		}
	}
	return first
}

func fromGraphQL(g *gqlerror.Error) *Error {
	e := &Error{Message: g.Message, Status: http.StatusOK, Extensions: g.Extensions}
	e.Code, _ = g.Extensions["code"].(string)
	e.Field, _ = g.Extensions["field"].(string)
	if len(g.Path) > 0 {
		e.Path = fmt.Sprint(g.Path[0])
	}
	switch e.Code {
	case "":
		e.Code = Internal
	case "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED":
		e.Message += " (the server is of another version than this program)"
	}
	return e
}

// httpError reads an answer whose status is not 200. A proxy's page of HTML is not repeated.
func httpError(r *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	var g struct {
		Errors gqlerror.List `json:"errors"`
	}
	if json.Unmarshal(body, &g) == nil && len(g.Errors) > 0 {
		e := fromList(g.Errors).(*Error)
		e.Status = r.StatusCode
		if _, coded := e.Extensions["code"]; !coded {
			e.Code = codeOfStatus(r.StatusCode)
		}
		return e
	}
	e := &Error{Code: codeOfStatus(r.StatusCode), Status: r.StatusCode}
	switch {
	case r.StatusCode >= 300 && r.StatusCode < 400:
		e.Message = fmt.Sprintf("The server redirects to %s: use that address.", strings.TrimSuffix(r.Header.Get("Location"), "/graphql"))
	case r.StatusCode == http.StatusNotFound:
		e.Message = "There is no Nightshift server at this address: check it, its path included."
	case r.StatusCode == http.StatusUnauthorized:
		e.Message = "The server does not know this token: it is wrong, expired or revoked."
	default:
		e.Message = fmt.Sprintf("The server, or a proxy before it, answered %s.", r.Status)
	}
	return e
}

func codeOfStatus(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return Unauthenticated
	case status == http.StatusForbidden:
		return Forbidden
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusRequestEntityTooLarge:
		return InvalidInput
	case status >= 500:
		return Busy
	}
	return InvalidInput
}
