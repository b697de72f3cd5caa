package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/slot"
	"nightshift/ent/worker"
	"nightshift/server/fault"
)

// loads is what one answer asks about many rows: a page says which rows it has, and the first question about one of them is asked for
// all. So a page of computers costs a handful of queries, however many computers it has.
type loads struct {
	projects many[string, int64]
	active   many[int64, int]
	held     many[int64, *ent.Job]

	mu      sync.Mutex
	workers map[int64]*many[int64, []*ent.Worker] // by project, then by computer
	rows    []int64                               // the computers of the page
}

type loadsKey struct{}

// withLoads gives every answer its own.
func withLoads(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	return next(context.WithValue(ctx, loadsKey{}, &loads{}))
}

// loadsOf is the answer's; alone where there is none.
func loadsOf(ctx context.Context) *loads {
	if l, ok := ctx.Value(loadsKey{}).(*loads); ok {
		return l
	}
	return &loads{}
}

// expect names computers that will be asked about, and the jobs that hold their GPUs.
func (l *loads) expect(cs []*ent.Computer) {
	ids := make([]int64, len(cs))
	for i, c := range cs {
		ids[i] = c.ID
		l.expectHolders(c.Edges.Gpus)
	}
	l.active.expect(ids)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, ids...)
	for _, w := range l.workers {
		w.expect(ids)
	}
}

func (l *loads) expectHolders(gs []*ent.Gpu) {
	for _, g := range gs {
		if g.JobID != nil {
			l.held.expect([]int64{*g.JobID})
		}
	}
}

func (l *loads) workersIn(project int64) *many[int64, []*ent.Worker] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.workers == nil {
		l.workers = map[int64]*many[int64, []*ent.Worker]{}
	}
	if l.workers[project] == nil {
		l.workers[project] = &many[int64, []*ent.Worker]{}
		l.workers[project].expect(l.rows)
	}
	return l.workers[project]
}

// many asks once for all that is expected. A zero value is an answer too.
type many[K comparable, V any] struct {
	mu    sync.Mutex
	wants []K
	known map[K]V
}

func (m *many[K, V]) expect(keys []K) {
	m.mu.Lock()
	m.wants = append(m.wants, keys...)
	m.mu.Unlock()
}

func (m *many[K, V]) get(key K, ask func(keys []K) (map[K]V, error)) (V, error) {
	m.mu.Lock() // held while asking: those who come meanwhile want the same
	defer m.mu.Unlock()
	if v, ok := m.known[key]; ok {
		return v, nil
	}
	keys := []K{key}
	for _, k := range m.wants {
		if _, have := m.known[k]; !have && k != key {
			keys = append(keys, k)
		}
	}
	found, err := ask(keys)
	if err != nil {
		var none V
		return none, err
	}
	if m.known == nil {
		m.known = map[K]V{}
	}
	for _, k := range keys {
		m.known[k] = found[k]
	}
	m.wants = nil
	return m.known[key], nil
}

// projectKeyed is the id of a project the viewer may see.
func (r *Resolver) projectKeyed(ctx context.Context, key string) (int64, error) {
	id, err := loadsOf(ctx).projects.get(key, func([]string) (map[string]int64, error) {
		p, err := r.findProject(ctx, key)
		if err != nil || p == nil {
			return nil, err
		}
		return map[string]int64{key: p.ID}, nil
	})
	if err == nil && id == 0 {
		err = fault.Missing("project")
	}
	return id, err
}

// workersFor are the workers of a project (0: of every one) for a computer, by name.
func (r *Resolver) workersFor(ctx context.Context, computer, project int64) ([]*ent.Worker, error) {
	return loadsOf(ctx).workersIn(project).get(computer, func(ids []int64) (map[int64][]*ent.Worker, error) {
		q := r.DB.Worker.Query().Where(worker.ComputerIDIn(ids...)).WithProject().Order(worker.ByName(), worker.ByID())
		if project != 0 {
			q.Where(worker.ProjectID(project))
		}
		ws, err := q.All(ctx)
		out := map[int64][]*ent.Worker{}
		for _, w := range ws {
			out[w.ComputerID] = append(out[w.ComputerID], w)
		}
		return out, err
	})
}

func (r *Resolver) activeJobs(ctx context.Context, c *ent.Computer) (int, error) {
	return loadsOf(ctx).active.get(c.ID, func(ids []int64) (map[int64]int, error) {
		var rows []struct {
			ComputerID int64 `json:"computer_id"`
			Count      int
		}
		err := r.DB.Slot.Query().Where(slot.ComputerIDIn(ids...)).GroupBy(slot.FieldComputerID).Aggregate(ent.Count()).Scan(ctx, &rows)
		out := map[int64]int{}
		for _, row := range rows {
			out[row.ComputerID] = row.Count
		}
		return out, err
	})
}

// heldBy is the job that holds a GPU, where the viewer may see it.
func (r *Resolver) heldBy(ctx context.Context, g *ent.Gpu) (*ent.Job, error) {
	if g.JobID == nil {
		return nil, nil
	}
	return loadsOf(ctx).held.get(*g.JobID, func(ids []int64) (map[int64]*ent.Job, error) {
		js, err := r.withJobEdges(r.DB.Job.Query().Where(job.IDIn(ids...))).All(ctx)
		out := map[int64]*ent.Job{}
		for _, j := range js {
			out[j.ID] = j
		}
		return out, err
	})
}
