// Package server is the street door: what may come in at all, and which handler it goes to. It knows no rules of the house.
package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/rs/cors"
)

// Options are the handlers behind the door and who may knock.
type Options struct {
	// BasePath is where everything lives below: "" or "/x".
	BasePath string
	GraphQL  http.Handler
	LogFile  http.Handler // GET /api/jobs/{id}/log
	Pages    http.Handler // the web app
	Metrics  http.Handler
	// Identify puts the viewer into the request.
	Identify func(http.Handler) http.Handler
	// Ready tells whether the database answers.
	Ready func(context.Context) error
	// Hosts are further names this server is called by (NIGHTSHIFT_ALLOWED_HOSTS); addresses and localhost always are.
	Hosts []string
	// Origins are other sites whose pages may call the API (NIGHTSHIFT_ALLOWED_ORIGINS); "*" is refused.
	Origins []string
}

// CleanBase makes "", "/", "x/" and "/x/" one form: "" or "/x".
func CleanBase(p string) string {
	p = "/" + strings.Trim(p, "/")
	if p == "/" {
		return ""
	}
	return p
}

// Handler is the whole of what the server answers.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	get := func(path string, h http.Handler) { mux.Handle("GET "+o.BasePath+path, h) }
	get("/healthz", text("ok\n"))
	get("/readyz", ready(o.Ready))
	if o.Metrics != nil {
		get("/metrics", o.Metrics)
	}
	api := cors.New(cors.Options{
		AllowedOrigins: o.Origins, AllowedMethods: []string{"GET", "POST"}, AllowedHeaders: []string{"Content-Type", "Authorization"},
		AllowCredentials: false, // a page of another site brings a token, never the cookie
	})
	if len(o.Origins) == 0 { // rs/cors would take an empty list for everybody
		api = cors.New(cors.Options{AllowOriginFunc: func(string) bool { return false }})
	}
	guarded := func(h http.Handler) http.Handler { return api.Handler(o.Identify(h)) }
	mux.Handle(o.BasePath+"/graphql", guarded(o.GraphQL))
	mux.Handle("GET "+o.BasePath+"/api/jobs/{id}/log", guarded(o.LogFile))
	mux.Handle(o.BasePath+"/api/", http.NotFoundHandler())
	if o.Pages != nil {
		mux.Handle(o.BasePath+"/", o.Identify(http.StripPrefix(o.BasePath, o.Pages)))
	}
	if o.BasePath != "" {
		mux.Handle("/{$}", http.RedirectHandler(o.BasePath+"/", http.StatusFound))
		mux.Handle(o.BasePath, http.RedirectHandler(o.BasePath+"/", http.StatusFound))
	}
	return o.door(mux)
}

// door refuses what a browser was tricked into sending: another Host (DNS rebinding), another Origin (cross-site requests).
func (o Options) door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		health := strings.HasSuffix(r.URL.Path, "/healthz") || strings.HasSuffix(r.URL.Path, "/readyz")
		if !health && !o.knows(r.Host) {
			refuse(w, http.StatusForbidden, "This server does not go by the name "+printable(r.Host)+". If it should, add the name to NIGHTSHIFT_ALLOWED_HOSTS and restart.")
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && r.Method != http.MethodOptions && r.Method != http.MethodHead && !o.sameSite(origin, r.Host) {
			if r.Method != http.MethodGet || strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
				refuse(w, http.StatusForbidden, "Requests from pages of another site are refused. To allow one, add it to NIGHTSHIFT_ALLOWED_ORIGINS and restart.")
				return
			}
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" && r.Method == http.MethodPost && r.Header.Get("Origin") == "" {
			refuse(w, http.StatusForbidden, "Requests from pages of another site are refused.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (o Options) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true // nobody's name can be made to point at an address that is typed
	}
	for _, h := range o.Hosts {
		if strings.EqualFold(name, h) {
			return true
		}
	}
	return false
}

func (o Options) sameSite(origin, host string) bool {
	for _, a := range o.Origins {
		if strings.EqualFold(a, origin) {
			return true
		}
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(withPort(u.Host, u.Scheme), withPort(host, u.Scheme))
}

func withPort(host, scheme string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	if scheme == "https" {
		return net.JoinHostPort(strings.Trim(host, "[]"), "443")
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), "80")
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return '?'
		}
		return r
	}, s[:min(len(s), 100)])
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(message + "\n"))
}

func text(s string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(s)) })
}

func ready(ping func(context.Context) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		if err := ping(ctx); err != nil {
			refuse(w, http.StatusServiceUnavailable, "The database does not answer.")
			return
		}
		w.Write([]byte("ready\n"))
	})
}

// Serve answers on the listener until ctx ends, then lets requests finish for a moment. Long streams are ended by their own contexts.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return base },
		// No WriteTimeout: subscriptions and downloads last as long as they are wanted.
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	// Requests under way get a moment; then the subscriptions, which would last for ever, are ended: their clients connect again.
	time.AfterFunc(300*time.Millisecond, stop)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.Shutdown(grace); err != nil {
		s.Close()
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
