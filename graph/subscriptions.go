package graph

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/project"
	"nightshift/graph/model"
	"nightshift/server/access"
	"nightshift/server/fault"
	"nightshift/server/feed"
	"nightshift/server/joblog"
	"nightshift/server/pubsub"
	"nightshift/server/queue"
	"nightshift/server/timeline"
)

const (
	// Open subscriptions of one socket.
	maxSubscriptions = 64
	// Rights are checked before every message and this often while there is none.
	renewEvery = 8 * time.Second
	// A database that does not answer keeps a subscription open for so long.
	renewPatience = 10 * time.Second
	// jobChanged tells at most once in this time.
	jobInterval  = 200 * time.Millisecond
	workInterval = 10 * time.Millisecond
)

type budgetKey struct{}

// WithSubscriptionBudget limits the subscriptions of the socket that the context is for.
func WithSubscriptionBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, budgetKey{}, new(atomic.Int32))
}

// freshViewer reads the viewer's rights again for each operation on a socket: it was opened with those of then, and may be days old.
func (r *Resolver) freshViewer(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if ctx.Value(budgetKey{}) == nil || r.Renew == nil { // one request, one viewer
		return next(ctx)
	}
	v, err := r.Renew(ctx, access.From(ctx))
	if err == nil && v == nil {
		err = fault.New(fault.Unauthenticated, "Sign in again.")
	}
	if err != nil {
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{r.PresentError(ctx, err)}})
	}
	return next(access.With(ctx, v))
}

// spend takes one of the socket's subscriptions.
func spend(ctx context.Context) (giveBack func(), err error) {
	n, ok := ctx.Value(budgetKey{}).(*atomic.Int32)
	if !ok {
		return func() {}, nil
	}
	if n.Add(1) > maxSubscriptions {
		n.Add(-1)
		return nil, fault.New(fault.RateLimited, "At most %d subscriptions can be open on one connection: end some, or open another connection.", maxSubscriptions)
	}
	return func() { n.Add(-1) }, nil
}

// subscription says how one is made: source is started once, show turns what it gives into a message (false: none).
type subscription[In, Out any] struct {
	allowed func(v *access.Viewer) bool
	source  func(ctx context.Context) <-chan In
	show    func(ctx context.Context, in In) (out Out, ok bool, err error)
}

// subscribe runs a subscription until its source or ctx ends, or the viewer may no longer see it: then the channel closes. The source
// waits for a slow client, and no writer waits for the source.
func subscribe[In, Out any](ctx context.Context, r *Resolver, s subscription[In, Out]) (<-chan Out, error) {
	giveBack, err := spend(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	g := &gate{r: r, viewer: access.From(ctx), allowed: s.allowed, checked: time.Now()}
	in := s.source(ctx)
	out := make(chan Out)
	go func() {
		defer giveBack()
		defer close(out)
		defer cancel()
		tick := time.NewTicker(renewEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !g.pass(ctx) {
					return
				}
			case x, ok := <-in:
				if !ok || !deliver(ctx, g, s, x, out, tick.C) {
					return
				}
			}
		}
	}()
	return out, nil
}

// deliver makes one message and hands it over; false ends the subscription.
func deliver[In, Out any](ctx context.Context, g *gate, s subscription[In, Out], x In, out chan<- Out, tick <-chan time.Time) bool {
	if !g.pass(ctx) {
		return false
	}
	m, ok, err := s.show(access.With(ctx, g.viewer), x)
	if err != nil {
		if ctx.Err() == nil {
			g.r.Log.Warn("a subscription was ended", "error", err)
		}
		return false // the client comes back from its cursor
	}
	for ok {
		select {
		case out <- m:
			return true
		case <-ctx.Done():
			return false
		case <-tick: // the client is slow: what waits for it must still be its to see
			if !g.pass(ctx) {
				return false
			}
		}
	}
	return true
}

// gate checks the viewer's rights again and again.
type gate struct {
	r       *Resolver
	viewer  *access.Viewer
	allowed func(v *access.Viewer) bool
	checked time.Time // when the rights were last known to be there
}

func (g *gate) pass(ctx context.Context) bool {
	for {
		v := g.viewer
		var err error
		if g.r.Renew != nil {
			v, err = g.r.Renew(ctx, g.viewer)
		}
		switch {
		case err == nil:
			g.viewer, g.checked = v, time.Now()
			return v != nil && g.allowed(v)
		case ctx.Err() != nil || fault.CodeOf(err) != fault.Internal || time.Since(g.checked) > renewPatience:
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// nudges gives one nudge at once and then one whenever a topic is published, never two within every.
func nudges(bus *pubsub.Bus, every time.Duration, topics ...string) func(ctx context.Context) <-chan struct{} {
	return func(ctx context.Context) <-chan struct{} {
		out := make(chan struct{})
		sub := bus.Subscribe(topics...)
		go func() {
			defer close(out)
			defer sub.Close()
			for {
				select {
				case out <- struct{}{}:
				case <-ctx.Done():
					return
				}
				select {
				case <-time.After(every):
				case <-ctx.Done():
					return
				}
				select {
				case <-sub.C:
				case <-ctx.Done():
					return
				}
			}
		}()
		return out
	}
}

// visibleJob finds the job of a subscription.
func (r *Resolver) visibleJob(ctx context.Context, id string) (*ent.Job, error) {
	j, err := queue.FindJob(ctx, r.DB.Client, id)
	if err == nil && j == nil {
		err = fault.Missing("job")
	}
	return j, err
}

func sees(project int64) func(*access.Viewer) bool {
	return func(v *access.Viewer) bool { return v.Sees(project) }
}

// watchJobs follows the changes of a project's jobs.
func (r *Resolver) watchJobs(ctx context.Context, key string, filter *model.JobFilter, after *string) (<-chan *model.JobsChange, error) {
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("project")
	} else if err != nil {
		return nil, err
	}
	match, err := r.matcher(ctx, filter)
	if err != nil {
		return nil, err
	}
	first := true
	return subscribe(ctx, r, subscription[feed.Batch, *model.JobsChange]{
		allowed: sees(p.ID),
		source:  func(ctx context.Context) <-chan feed.Batch { return r.Feed.Follow(ctx, p.ID, value(after)) },
		show: func(ctx context.Context, b feed.Batch) (*model.JobsChange, bool, error) {
			m := &model.JobsChange{Cursor: b.Cursor, Resync: b.Resync, Changed: []*ent.Job{}, RemovedIds: []string{}}
			jobs, err := r.loader.load(ctx, r, p.ID, b.Jobs)
			if err != nil {
				return nil, false, err
			}
			for _, j := range jobs {
				if match(j) {
					m.Changed = append(m.Changed, j)
				} else {
					m.RemovedIds = append(m.RemovedIds, j.UUID)
				}
			}
			send := first || b.Resync || len(jobs) > 0
			first = false
			return m, send, nil
		},
	})
}

// watchJob gives a job as it is now, and again after each change.
func (r *Resolver) watchJob(ctx context.Context, id string) (<-chan *ent.Job, error) {
	j, err := r.visibleJob(ctx, id)
	if err != nil {
		return nil, err
	}
	return subscribe(ctx, r, subscription[struct{}, *ent.Job]{
		allowed: sees(j.ProjectID),
		source:  nudges(r.Bus, jobInterval, pubsub.Events(j.ID)),
		show: func(ctx context.Context, _ struct{}) (*ent.Job, bool, error) {
			now, err := r.withJobEdges(r.DB.Job.Query().Where(job.ID(j.ID))).Only(ctx)
			return now, err == nil, err
		},
	})
}

// watchLog follows a job's log.
func (r *Resolver) watchLog(ctx context.Context, id string, from *int64) (<-chan *model.LogLines, error) {
	j, err := r.visibleJob(ctx, id)
	if err != nil {
		return nil, err
	}
	first := int64(0)
	if from != nil {
		first = max(1, *from)
	}
	return subscribe(ctx, r, subscription[*joblog.Lines, *model.LogLines]{
		allowed: sees(j.ProjectID),
		source:  func(ctx context.Context) <-chan *joblog.Lines { return r.JobLog.Follow(ctx, j.ID, first) },
		show: func(_ context.Context, l *joblog.Lines) (*model.LogLines, bool, error) {
			return logLines(l), true, nil
		},
	})
}

// watchEvents follows a job's timeline.
func (r *Resolver) watchEvents(ctx context.Context, id string, after *string) (<-chan *ent.JobEvent, error) {
	j, err := r.visibleJob(ctx, id)
	if err != nil {
		return nil, err
	}
	from, err := timeline.ParseCursor(value(after))
	if err != nil {
		return nil, err
	}
	return subscribe(ctx, r, subscription[*ent.JobEvent, *ent.JobEvent]{
		allowed: sees(j.ProjectID),
		source:  func(ctx context.Context) <-chan *ent.JobEvent { return r.Timeline.Follow(ctx, j.ID, from) },
		show:    func(_ context.Context, e *ent.JobEvent) (*ent.JobEvent, bool, error) { return e, true, nil },
	})
}

// watchWork nudges a worker when there may be something for it.
func (r *Resolver) watchWork(ctx context.Context, w *ent.Worker) (<-chan *model.WorkAvailable, error) {
	return subscribe(ctx, r, subscription[struct{}, *model.WorkAvailable]{
		allowed: sees(w.ProjectID),
		source:  nudges(r.Bus, workInterval, pubsub.Work(w.ComputerID)),
		show: func(context.Context, struct{}) (*model.WorkAvailable, bool, error) {
			return &model.WorkAvailable{Claim: true, Heartbeat: true}, true, nil
		},
	})
}
