// Package client speaks our own API over the wire: typed operations, errors with codes, retries, and subscriptions that reconnect.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"
)

// Client is a connection to one server as one viewer. It is what the generated operations take as their client.
type Client struct {
	endpoint  string
	token     string
	userAgent string
	timeout   time.Duration
	silence   time.Duration // how long a stream may be silent
	http      *http.Client
}

// Option changes a Client.
type Option func(*Client)

// WithUserAgent names the program that asks, such as nightshift-worker/1.2.
func WithUserAgent(s string) Option { return func(c *Client) { c.userAgent = s } }

// WithTimeout limits one request, connecting and answer included. The default is 30 s.
func WithTimeout(d time.Duration) Option { return func(c *Client) { c.timeout = d } }

// New makes a client for the server at an http or https URL, which may have a base path; the API is at <url>/graphql. The token may
// be empty.
func New(server, token string, opts ...Option) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(server))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the server's address %q is not a URL such as https://nightshift.example.org", server)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the server's address %q may have a path, but no user, query or fragment", u.Redacted())
	}
	c := &Client{
		endpoint:  strings.TrimSuffix(u.String(), "/") + "/graphql",
		token:     strings.TrimSpace(token),
		userAgent: "nightshift",
		timeout:   30 * time.Second,
		silence:   30 * time.Second, // the server sends a comment every 10 s: a longer silence is a dead connection
		http: &http.Client{
			Transport:     transport(),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a POST does not survive one
		},
	}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

func transport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64, // all go to one server
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// Endpoint is the URL of the API.
func (c *Client) Endpoint() string { return c.endpoint }

// URL is the server's address, without /graphql.
func (c *Client) URL() string { return strings.TrimSuffix(c.endpoint, "/graphql") }

// Close drops idle connections; later requests open new ones.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// MakeRequest carries out one operation; the generated functions call it. An error that the server answered is an *Error, and what
// came beside it is in resp all the same.
func (c *Client) MakeRequest(ctx context.Context, req *graphql.Request, resp *graphql.Response) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := c.post(ctx, req, "application/json")
	if err != nil {
		return err
	}
	defer drain(r.Body)
	if r.StatusCode != http.StatusOK {
		return httpError(r)
	}
	if err := json.NewDecoder(r.Body).Decode(resp); err != nil {
		if cause := ctx.Err(); cause != nil {
			err = cause
		}
		return &NetworkError{Err: fmt.Errorf("the answer broke off or is not JSON: %w", err)}
	}
	return fromList(resp.Errors)
}

// post sends one operation and hands back the raw answer.
func (c *Client) post(ctx context.Context, req any, accept string) (*http.Response, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", c.userAgent)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) { // its text repeats the whole URL
			err = ue.Err
		}
		return nil, &NetworkError{Err: err}
	}
	return resp, nil
}

// drain reads the rest so that the connection can be used again, but never much.
func drain(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 64<<10)
	body.Close()
}
