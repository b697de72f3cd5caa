package graph

import (
	"context"
	"sync"
	"time"

	"nightshift/ent"
	"nightshift/ent/user"
	"nightshift/graph/model"
	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/fault"
	"nightshift/server/joblog"
	"nightshift/server/timeline"
)

// leased is the proof that the sender may write for a job, checked in the transaction that writes.
func (r *Resolver) leased(job, lease string) func(ctx context.Context, tx *db.Tx) (*ent.Job, error) {
	return func(ctx context.Context, tx *db.Tx) (*ent.Job, error) { return r.Queue.CheckLease(ctx, tx, job, lease) }
}

func (r *Resolver) appendLog(ctx context.Context, in model.AppendLogInput) (*model.AppendLogPayload, error) {
	decode := joblog.DecodeText
	if in.Encoding == model.LogEncodingZstdBase64 {
		decode = joblog.DecodeFrame
	}
	b, err := decode(in.FirstLine, in.Data)
	if err != nil {
		return nil, err
	}
	if p := in.Progress; p != nil {
		b.Progress = &joblog.Progress{Percent: p.Percent, Current: p.Current, Total: p.Total, EtaSeconds: p.EtaSeconds, Label: p.Label}
	}
	next, err := r.JobLog.Append(ctx, r.leased(in.JobID, in.Lease), b)
	if err != nil {
		return nil, err
	}
	return &model.AppendLogPayload{NextLine: next}, nil
}

// jobLog reads a job's log: the latest lines, or a range.
func (r *Resolver) jobLog(ctx context.Context, j *ent.Job, tail *int, from, to *int64, levels []model.LogLevel, search *string) (*model.LogLines, error) {
	q := joblog.Query{Search: value(search)}
	for _, l := range levels {
		q.Levels |= logframe.MaskOf(levelsOf[l])
	}
	if from != nil || to != nil {
		if tail != nil {
			return nil, fault.Invalid("tail", "Give either tail or a range.")
		}
		q.From = 1
		if from != nil {
			q.From = max(1, *from)
		}
		if to != nil {
			if q.To = *to; q.To < 1 {
				return nil, fault.Invalid("toLine", "Lines are numbered from 1.")
			}
		}
	} else if tail != nil {
		if q.Tail = *tail; q.Tail < 1 {
			return nil, fault.Invalid("tail", "tail is 1 or more.")
		}
	}
	l, err := r.JobLog.Read(ctx, j.ID, q)
	if err != nil {
		return nil, err
	}
	return logLines(l), nil
}

var (
	levelsOf = map[model.LogLevel]logframe.Level{
		model.LogLevelInfo: logframe.Info, model.LogLevelWarning: logframe.Warning, model.LogLevelError: logframe.Error,
	}
	levelNames  = [...]model.LogLevel{logframe.Info: model.LogLevelInfo, logframe.Warning: model.LogLevelWarning, logframe.Error: model.LogLevelError}
	streamNames = [...]model.LogStream{logframe.Stdout: model.LogStreamStdout, logframe.Stderr: model.LogStreamStderr, logframe.System: model.LogStreamSystem}
)

func logLines(l *joblog.Lines) *model.LogLines {
	out := &model.LogLines{
		Lines: make([]*model.LogLine, len(l.Lines)), NextLine: l.Next, TotalLines: l.Total, MatchingLines: l.Matching, Truncated: l.Truncated, Ended: l.Ended,
	}
	lines := make([]model.LogLine, len(l.Lines))
	for i := range l.Lines {
		x := &l.Lines[i]
		lines[i] = model.LogLine{
			Number: x.Number, Time: x.Time, Level: levelNames[x.Level], Stream: streamNames[x.Stream], Message: logframe.Display(x.Text),
			Partial: x.Partial, Cut: x.Cut,
		}
		out.Lines[i] = &lines[i]
	}
	return out
}

func (r *Resolver) recordJobEvents(ctx context.Context, in model.RecordJobEventsInput) (*model.RecordJobEventsPayload, error) {
	events := make([]timeline.Reported, len(in.Events))
	for i, e := range in.Events {
		events[i] = timeline.Reported{
			Key: e.Key, Type: e.Type, Source: value(e.Source), Severity: e.Severity, Time: e.Time, DurationSeconds: e.DurationSeconds, Args: e.Args,
		}
	}
	n, err := r.Timeline.Record(ctx, r.leased(in.JobID, in.Lease), events)
	if err != nil {
		return nil, err
	}
	return &model.RecordJobEventsPayload{Stored: n}, nil
}

// jobEvents is a page of a job's timeline, oldest first.
func (r *Resolver) jobEvents(ctx context.Context, j *ent.Job, first *int, after *string) (*model.JobEventConnection, error) {
	n := 50
	if first != nil {
		n = *first
	}
	if n < 0 || n > maxPage {
		return nil, fault.Invalid("first", "A page has at most %d rows.", maxPage)
	}
	from, err := timeline.ParseCursor(value(after))
	if err != nil {
		return nil, err
	}
	events, more, err := r.Timeline.List(ctx, j.ID, from, n)
	if err != nil {
		return nil, err
	}
	if err := r.actors.load(ctx, r, events); err != nil {
		return nil, err
	}
	c := &model.JobEventConnection{Nodes: events, Edges: []*model.JobEventEdge{}, PageInfo: &model.PageInfo{HasNextPage: more, HasPreviousPage: from > 0}}
	if c.Nodes == nil {
		c.Nodes = []*ent.JobEvent{}
	}
	for _, e := range events {
		c.Edges = append(c.Edges, &model.JobEventEdge{Cursor: timeline.Cursor(e), Node: e})
	}
	if n := len(events); n > 0 {
		start, end := timeline.Cursor(events[0]), timeline.Cursor(events[n-1])
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &start, &end
	}
	return c, nil
}

// actorCache spares a query per event for who did it. A changed name is seen a little later.
type actorCache struct {
	mu    sync.Mutex
	users map[int64]*model.Actor
	until time.Time
}

const (
	actorsFor = 10 * time.Second
	maxActors = 1000
)

func (c *actorCache) known(id int64) (*model.Actor, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().After(c.until) || len(c.users) > maxActors {
		c.users, c.until = map[int64]*model.Actor{}, time.Now().Add(actorsFor)
	}
	a, ok := c.users[id]
	return a, ok
}

func (c *actorCache) put(id int64, a *model.Actor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users[id] = a
}

// load reads the actors of events in one query.
func (c *actorCache) load(ctx context.Context, r *Resolver, events []*ent.JobEvent) error {
	var ids []int64
	for _, e := range events {
		if e.ActorID == nil {
			continue
		}
		if _, ok := c.known(*e.ActorID); !ok {
			ids = append(ids, *e.ActorID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	us, err := r.DB.User.Query().Where(user.IDIn(ids...)).All(ctx)
	for _, u := range us {
		c.put(u.ID, actor(u))
	}
	return err
}

func (r *Resolver) eventActor(ctx context.Context, e *ent.JobEvent) (*model.Actor, error) {
	if e.ActorID == nil {
		return nil, nil
	}
	if a, ok := r.actors.known(*e.ActorID); ok {
		return a, nil
	}
	u, err := r.DB.User.Get(ctx, *e.ActorID)
	if ent.IsNotFound(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r.actors.put(u.ID, actor(u))
	return actor(u), nil
}
