package feed

import (
	"context"
	"sort"
	"sync"
	"time"
)

// Batch is what a follower is told: which jobs changed, and where to go on after a cut.
type Batch struct {
	Cursor string
	Jobs   []Change
	// Resync: too much has changed, or it is not known any more what. Query again; what changes from now on follows.
	Resync bool
}

// Change names a job that changed. What was loaded when Room.Seq was Seq or more is new enough.
type Change struct {
	Job int64
	Seq uint64
}

// follower collects what one subscriber has not been told yet. It is small however slow the subscriber is: each job once, and
// above a limit only that there was too much.
type follower struct {
	wake chan struct{}

	mu      sync.Mutex
	pending []pendingChange
	index   map[int64]int
	resync  bool
}

type pendingChange struct {
	Change
	at position // of its first change that was not told
}

func (f *follower) add(job int64, seq uint64, at position) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i, ok := f.index[job]; ok {
		f.pending[i].Seq = seq
		return
	}
	if len(f.pending) >= pendingJobs {
		f.resync = true
		f.pending = nil
		clear(f.index)
	}
	if f.resync {
		return
	}
	f.index[job] = len(f.pending)
	f.pending = append(f.pending, pendingChange{Change{job, seq}, at})
}

func (f *follower) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Follow tells of the changes of a project's jobs after the cursor (from now on when it is empty), at most once in 200 ms. The first
// batch comes at once and may be empty. The channel closes when ctx ends. No writer ever waits for a follower.
func (r *Room) Follow(ctx context.Context, project int64, after string) <-chan Batch {
	out := make(chan Batch)
	go func() {
		defer close(out)
		f := &follower{wake: make(chan struct{}, 1), index: map[int64]int{}}
		if r.join(ctx, project, after, f) != nil {
			return
		}
		defer r.leave(project, f)
		for {
			b, more := r.next(f)
			if more {
				f.nudge()
			}
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
			if !sleep(ctx, batchInterval) {
				return
			}
			select {
			case <-f.wake:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// join adds a follower, with what changed since its cursor.
func (r *Room) join(ctx context.Context, project int64, after string, f *follower) error {
	pos, known := parse(after)
	for tries := 0; ; tries++ {
		r.mu.Lock()
		// Before the first read there is nothing to compare with. A cursor from another server may be a little ahead of this one.
		if r.loaded && (!known || !pos.after(r.last) || tries >= 2) {
			break
		}
		r.mu.Unlock()
		if err := r.pass(ctx); err != nil {
			return err
		}
	}
	defer r.mu.Unlock()
	switch {
	case after == "":
	case !known || r.floor.after(pos) || pos.after(r.last):
		f.resync = true
	default:
		first := r.seq - uint64(len(r.recent)) + 1
		i := sort.Search(len(r.recent), func(i int) bool { return r.recent[i].at.after(pos) })
		for ; i < len(r.recent); i++ {
			if c := r.recent[i]; c.project == project {
				f.add(c.job, first+uint64(i), c.at)
			}
		}
	}
	r.prepare()
	if r.followers[project] == nil {
		r.followers[project] = map[*follower]struct{}{}
	}
	r.followers[project][f] = struct{}{}
	return nil
}

func (r *Room) leave(project int64, f *follower) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.followers[project], f)
	if len(r.followers[project]) == 0 {
		delete(r.followers, project)
	}
}

// next takes a batch; more tells that some is left.
func (r *Room) next(f *follower) (b Batch, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	b.Resync, b.Cursor = f.resync, r.last.String()
	n := min(len(f.pending), batchJobs)
	for _, p := range f.pending[:n] {
		b.Jobs = append(b.Jobs, p.Change)
	}
	if n < len(f.pending) {
		more = true
		b.Cursor = f.pending[n-1].at.String()
	}
	f.pending = append([]pendingChange(nil), f.pending[n:]...)
	clear(f.index)
	for i, p := range f.pending {
		f.index[p.Job] = i
	}
	f.resync = false
	return b, more
}
