package graph

import (
	"context"
	"sync"
	"time"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/server/feed"
)

// jobLoader loads what changed once, for all who are to be told. Jobs of one project are seen alike by everyone who sees the project;
// whether somebody does is checked before it is asked.
type jobLoader struct {
	mu      sync.Mutex
	jobs    map[int64]loadedJob
	cleaned time.Time
}

type loadedJob struct {
	job *ent.Job
	seq uint64 // of the feed when it was read: it is at least as new as that
	at  time.Time
}

const (
	loadedFor   = 5 * time.Second
	loadTimeout = 10 * time.Second
)

// load gives the jobs as they are now or were after the change; one that is gone is left out.
func (l *jobLoader) load(ctx context.Context, r *Resolver, project int64, changes []feed.Change) ([]*ent.Job, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	l.mu.Lock() // held while reading: those who come meanwhile want the same
	defer l.mu.Unlock()
	now := time.Now()
	if l.jobs == nil || now.Sub(l.cleaned) > loadedFor {
		l.clean(now)
	}
	var missing []int64
	for _, c := range changes {
		if have, ok := l.jobs[c.Job]; !ok || have.seq < c.Seq {
			missing = append(missing, c.Job)
		}
	}
	if len(missing) > 0 {
		ctx, cancel := context.WithTimeout(ctx, loadTimeout)
		defer cancel()
		seq := r.Feed.Seq()
		jobs, err := r.withJobEdges(r.DB.Job.Query().Where(job.ProjectID(project), job.IDIn(missing...))).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			l.jobs[j.ID] = loadedJob{j, seq, now}
		}
	}
	out := make([]*ent.Job, 0, len(changes))
	for _, c := range changes {
		if have, ok := l.jobs[c.Job]; ok && have.job.ProjectID == project {
			out = append(out, have.job)
		}
	}
	return out, nil
}

func (l *jobLoader) clean(now time.Time) {
	if l.jobs == nil {
		l.jobs = map[int64]loadedJob{}
	}
	for id, have := range l.jobs {
		if now.Sub(have.at) > loadedFor {
			delete(l.jobs, id)
		}
	}
	l.cleaned = now
}
