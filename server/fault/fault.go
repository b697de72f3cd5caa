// Package fault is the vocabulary of what can go wrong: an error with a code that clients act on and a sentence that says what to do.
package fault

import (
	"errors"
	"fmt"
)

// Code is what clients act on; it is extensions.code in GraphQL.
type Code string

// The codes of contract.graphql.
const (
	Unauthenticated      Code = "UNAUTHENTICATED"
	Forbidden            Code = "FORBIDDEN"
	NotFound             Code = "NOT_FOUND"
	InvalidInput         Code = "INVALID_INPUT"
	Conflict             Code = "CONFLICT"
	ComputerNotAvailable Code = "COMPUTER_NOT_AVAILABLE"
	RuntimeNotSupported  Code = "RUNTIME_NOT_SUPPORTED"
	AlreadyRetried       Code = "ALREADY_RETRIED"
	RetryLimit           Code = "RETRY_LIMIT"
	LeaseLost            Code = "LEASE_LOST"
	RateLimited          Code = "RATE_LIMITED"
	Busy                 Code = "BUSY"
	Internal             Code = "INTERNAL"
)

// Error is a failure with a code. Its text is one plain English sentence that says what to do and holds nothing internal.
type Error struct {
	Code  Code
	Text  string
	Field string         // the input field at fault, for InvalidInput
	Args  map[string]any // further extensions, such as nextLine
	cause error          // for the server's log only
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.cause }

// New makes an error with a code.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Invalid is wrong input in one field.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Code: InvalidInput, Field: field, Text: fmt.Sprintf(format, args...)}
}

// Missing is an object that does not exist or that the viewer may not see: the two are told apart by nobody.
func Missing(what string) *Error {
	return New(NotFound, "There is no such %s, or you may not see it.", what)
}

// Denied is an action that the viewer may see but not do.
func Denied(format string, args ...any) *Error { return New(Forbidden, format, args...) }

// With adds an extension.
func (e *Error) With(key string, value any) *Error {
	if e.Args == nil {
		e.Args = map[string]any{}
	}
	e.Args[key] = value
	return e
}

// Because keeps the cause for the server's log.
func (e *Error) Because(err error) *Error {
	e.cause = err
	return e
}

// CodeOf is the code of an error; Internal for one that has none, empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Is tells whether an error has the code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }
