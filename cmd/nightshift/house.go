package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"nightshift/frontend"
	"nightshift/graph"
	"nightshift/server"
	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
	"nightshift/server/feed"
	"nightshift/server/joblog"
	"nightshift/server/pubsub"
	"nightshift/server/queue"
	"nightshift/server/timeline"
)

// house is a server put together: the rooms, the door, and where it listens.
type house struct {
	db      *db.DB
	bus     *pubsub.Bus
	auth    *auth.Room
	queue   *queue.Room
	handler http.Handler
	listen  net.Listener
	url     string // as people reach it, without a slash at the end
	log     *slog.Logger
	sweeps  []func(context.Context)
	compact chan int64
}

// open opens the database, brings it up to date and builds the rooms. Nothing is answered yet.
func open(ctx context.Context, c serverConfig, log *slog.Logger) (*house, error) {
	d, err := db.Open(ctx, db.Options{Folder: c.data, URL: c.database})
	if err != nil {
		return nil, err
	}
	access.Guard(d.Client)
	h := &house{db: d, bus: pubsub.New(), log: log, compact: make(chan int64, 4096)}
	if err := h.build(ctx, c); err != nil {
		d.Close()
		return nil, err
	}
	return h, nil
}

func (h *house) build(ctx context.Context, c serverConfig) error {
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return err
	}
	vault, err := queue.OpenVault(env("NIGHTSHIFT_SECRET_KEY_FILE", filepath.Join(c.data, "secret.key")))
	if err != nil {
		return err
	}
	if h.listen, err = net.Listen("tcp", c.listen); err != nil {
		return fmt.Errorf("cannot listen on %s: is another server running there? Choose another address with --listen: %w", c.listen, err)
	}
	h.url = publicURL(c, h.listen.Addr())
	if h.db.Postgres() {
		if err := h.bus.StartRelay(ctx, h.db.URL); err != nil {
			return err
		}
	}
	h.auth = &auth.Room{DB: h.db, Bus: h.bus, Log: h.log, BaseURL: h.url, BasePath: c.base, Secure: strings.HasPrefix(h.url, "https:")}
	logs := &joblog.Room{DB: h.db, Bus: h.bus, Log: h.log}
	events := &timeline.Room{DB: h.db, Bus: h.bus, Log: h.log}
	changes := &feed.Room{DB: h.db, Bus: h.bus, Log: h.log}
	h.queue = &queue.Room{DB: h.db, Bus: h.bus, Log: h.log, Vault: vault, LocalExecutor: c.localExecutor, Ended: func(id int64) {
		select {
		case h.compact <- id:
		default: // a flood of ends: those logs stay in small chunks, which only costs space
		}
	}}
	h.sweeps = []func(context.Context){
		h.queue.Sweep, h.auth.Sweep, func(ctx context.Context) { changes.Run(access.AsSystem(ctx)) }, func(ctx context.Context) { h.compactEnded(ctx, logs) },
		func(ctx context.Context) {
			h.often(ctx, "deleting old events", time.Hour, func(ctx context.Context) error { _, err := events.Sweep(ctx, timeline.Keep); return err })
		},
		func(ctx context.Context) { h.often(ctx, "deleting old changes", 10*time.Minute, changes.Sweep) },
	}
	r := &graph.Resolver{DB: h.db, Bus: h.bus, Log: h.log, Queue: h.queue, Auth: h.auth, JobLog: logs, Timeline: events, Feed: changes, Renew: h.auth.Renew, Version: version}
	pages, err := server.Pages(frontend.Dist(), c.base)
	if err != nil {
		return err
	}
	hosts := c.hosts
	if u, err := url.Parse(h.url); err == nil {
		hosts = append(hosts, u.Hostname())
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	h.handler = server.Handler(server.Options{
		BasePath: c.base, GraphQL: graph.Handler(r, origins(c.origins), h.identify), LogFile: logs.Download(), Pages: pages, Metrics: metrics(h),
		Identify: h.auth.Middleware, Ready: h.db.Ping, Hosts: hosts, Origins: c.origins,
	})
	return nil
}

func (h *house) identify(ctx context.Context, bearer string) (*access.Viewer, error) {
	return h.auth.Identify(ctx, "", strings.TrimPrefix(bearer, "Bearer "))
}

// compactEnded merges the small chunks of logs whose jobs have ended, one at a time.
func (h *house) compactEnded(ctx context.Context, logs *joblog.Room) {
	ctx = access.AsSystem(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-h.compact:
			if err := logs.Compact(ctx, id); err != nil && ctx.Err() == nil {
				h.log.Warn("a log was not compacted", "job", id, "error", err)
			}
		}
	}
}

// often does something at the start and again and again until ctx ends.
func (h *house) often(ctx context.Context, what string, every time.Duration, do func(context.Context) error) {
	ctx = access.AsSystem(ctx)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			h.log.Warn(what, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// serve answers until ctx ends; the sweeps end with it.
func (h *house) serve(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for _, s := range h.sweeps {
		wg.Go(func() { s(ctx) })
	}
	err := server.Serve(ctx, h.listen, h.handler)
	stop()
	wg.Wait()
	return err
}

func (h *house) close() {
	h.listen.Close()
	if err := h.db.Close(); err != nil {
		h.log.Warn("closing the database", "error", err)
	}
}

func publicURL(c serverConfig, a net.Addr) string {
	if c.url != "" {
		return strings.TrimRight(c.url, "/")
	}
	host, port, _ := net.SplitHostPort(a.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + c.base
}

// origins are the host patterns that WebSockets may come from besides the server's own host.
func origins(all []string) (out []string) {
	for _, o := range all {
		if u, err := url.Parse(o); err == nil {
			out = append(out, u.Host)
		}
	}
	return out
}

func metrics(h *house) http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "nightshift_subscriptions", Help: "Open subscriptions."}, func() float64 { return float64(h.bus.Subscribers()) }),
		gauge(h, "nightshift_jobs_queued", "Jobs that are ready to be claimed (exact to 10,000).", `SELECT count(*) FROM (SELECT 1 AS one FROM jobs WHERE ready LIMIT 10000) AS q`),
		gauge(h, "nightshift_jobs_active", "Jobs that a worker holds.", `SELECT count(*) FROM slots`),
		gauge(h, "nightshift_jobs_without_response", "Jobs held by a worker that has not answered for 60 s.", `SELECT count(*) FROM jobs WHERE worker_id IS NOT NULL AND no_response`),
	)
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
}

func gauge(h *house, name, help, query string) prometheus.GaugeFunc {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		rows, err := h.db.Query(context.Background(), query)
		if err != nil {
			return -1
		}
		defer rows.Close()
		n := -1.0
		if rows.Next() {
			rows.Scan(&n)
		}
		return n
	})
}
