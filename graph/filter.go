package graph

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/ent/predicate"
	"nightshift/graph/model"
	"nightshift/server/fault"
	"nightshift/server/queue"
)

const (
	maxPage  = 200
	maxCount = 10_000
	// Text that many jobs start with is found by reading the list; rarer text by its index.
	rareText = 5_000
	// Text in the middle of a name is looked for among the newest jobs only.
	newest = 100_000
)

// cursorOf and keyOf are the form of a page's cursor: the job's key, opaque to clients.
func cursorOf(id int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("k" + strconv.FormatInt(id, 10)))
}

func keyOf(field string, cursor *string) (int64, error) {
	if cursor == nil {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(*cursor)
	if err == nil && len(b) > 1 && b[0] == 'k' {
		if id, err := strconv.ParseInt(string(b[1:]), 10, 64); err == nil {
			return id, nil
		}
	}
	return 0, fault.Invalid(field, "This cursor was not made by this list.")
}

// jobPredicates turns a filter into predicates over indexed columns of the row itself.
func (r *Resolver) jobPredicates(ctx context.Context, project int64, f *model.JobFilter) ([]predicate.Job, error) {
	ps := []predicate.Job{job.ProjectID(project)}
	if f == nil {
		return ps, nil
	}
	ps = append(ps, oneOf(f.Status, job.StatusEQ, job.StatusIn)...)
	ps = append(ps, oneOf(f.Kinds, job.KindEQ, job.KindIn)...)
	ps = append(ps, oneOf(f.EndReasons, job.EndReasonEQ, job.EndReasonIn)...)
	if f.Computer != nil && *f.Computer != "" {
		ids, err := r.DB.Computer.Query().Where(computer.Or(computer.Name(*f.Computer), computer.ID(queue.ID(*f.Computer)))).IDs(ctx)
		if err != nil {
			return nil, err
		}
		ps = append(ps, oneOf(append(ids, make([]int64, max(0, 1-len(ids)))...), job.ComputerID, job.ComputerIDIn)...)
	}
	if f.CreatedBy != nil && *f.CreatedBy != "" {
		ps = append(ps, job.CreatedByID(queue.ID(*f.CreatedBy)))
	}
	if f.ArrayID != nil && *f.ArrayID != "" {
		ps = append(ps, job.ArrayID(queue.ID(*f.ArrayID)))
	}
	if f.Text != nil && strings.TrimSpace(*f.Text) != "" {
		p, err := r.textPredicate(ctx, project, strings.TrimSpace(*f.Text))
		if err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	return ps, nil
}

func oneOf[T any](values []T, eq func(T) predicate.Job, in func(...T) predicate.Job) []predicate.Job {
	switch len(values) {
	case 0:
		return nil
	case 1:
		return []predicate.Job{eq(values[0])}
	}
	return []predicate.Job{in(values...)}
}

// textPredicate: jobs whose id or run name starts with the text, and those among the newest whose name holds it anywhere.
func (r *Resolver) textPredicate(ctx context.Context, project int64, text string) (predicate.Job, error) {
	if len(text) > 200 {
		return nil, fault.Invalid("filter.text", "Search for at most 200 characters.")
	}
	named := job.And(job.RunNameGTE(text), job.RunNameLT(text+"\U0010ffff"))
	low := strings.ToLower(text)
	var byID predicate.Job = job.ID(-1)
	if len(low) <= 36 && strings.Trim(low, "0123456789abcdef-") == "" {
		byID = job.And(job.UUIDGTE(low), job.UUIDLT(low+"g"))
	}
	since := int64(0)
	if ids, err := r.DB.Job.Query().Where(job.ProjectID(project)).Order(job.ByID(sql.OrderDesc())).Offset(newest).Limit(1).IDs(ctx); err != nil {
		return nil, err
	} else if len(ids) == 1 {
		since = ids[0]
	}
	anywhere := job.And(job.IDGT(since), job.RunNameContainsFold(text))
	rare, err := r.DB.Job.Query().Where(job.ProjectID(project), named).Limit(rareText + 1).IDs(ctx)
	if err != nil {
		return nil, err
	}
	if len(rare) > rareText {
		return job.Or(byID, named, anywhere), nil
	}
	few, err := r.DB.Job.Query().Where(inProject(project), byID).Limit(rareText).IDs(ctx)
	if err != nil {
		return nil, err
	}
	in, err := r.DB.Job.Query().Where(job.ProjectID(project), anywhere).Order(job.ByID(sql.OrderDesc())).Limit(rareText).IDs(ctx)
	if err != nil {
		return nil, err
	}
	ids := slices.Concat(rare, few, in)
	slices.Sort(ids)
	return keyIn(slices.Compact(ids)), nil
}

// inProject is ProjectID where another column is to be looked up; see access.Guard.
func inProject(project int64) predicate.Job {
	return func(s *sql.Selector) {
		if s.Dialect() != dialect.SQLite {
			s.Where(sql.EQ(s.C(job.FieldProjectID), project))
			return
		}
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("+").WriteString(s.C(job.FieldProjectID)).WriteString(" = ").Arg(project)
		}))
	}
}

// keyIn is IDIn with the numbers in the text of the statement: a database takes only so many parameters.
func keyIn(ids []int64) predicate.Job {
	return func(s *sql.Selector) {
		var b strings.Builder
		b.WriteString("0")
		for _, id := range ids {
			b.WriteByte(',')
			b.WriteString(strconv.FormatInt(id, 10))
		}
		s.Where(sql.ExprP(s.C(job.FieldID) + " IN (" + b.String() + ")"))
	}
}

// withJobEdges loads with a page of jobs what every row of the list shows, in one query each.
func (r *Resolver) withJobEdges(q *ent.JobQuery) *ent.JobQuery {
	return q.WithRun().WithCreatedBy().WithComputer().WithProject().WithArray().WithRetryOf().WithRetriedBy()
}

// jobsConnection is one keyset page of a project's jobs, newest first.
func (r *Resolver) jobsConnection(ctx context.Context, p *ent.Project, f *model.JobFilter, first *int, after *string, last *int, before *string) (*model.JobConnection, error) {
	page, err := pageOf(first, after, last, before)
	if err != nil {
		return nil, err
	}
	jobs, err := r.pageOfJobs(ctx, p.ID, f, page)
	if err != nil {
		return nil, err
	}
	more := len(jobs) > page.size
	jobs = jobs[:min(len(jobs), page.size)]
	c := &model.JobConnection{Nodes: jobs, PageInfo: &model.PageInfo{HasNextPage: more, HasPreviousPage: page.after != 0}}
	if page.backward {
		slices.Reverse(jobs)
		c.PageInfo.HasPreviousPage, c.PageInfo.HasNextPage = more, page.before != 0
	}
	for _, j := range jobs {
		c.Edges = append(c.Edges, &model.JobEdge{Cursor: cursorOf(j.ID), Node: j})
	}
	if n := len(jobs); n > 0 {
		start, end := cursorOf(jobs[0].ID), cursorOf(jobs[n-1].ID)
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &start, &end
	}
	if asks(ctx, "totalCount", "totalCountAtLeast") {
		n, err := r.countJobs(ctx, p.ID, f)
		if err != nil {
			return nil, err
		}
		c.TotalCountAtLeast = min(n, maxCount)
		if n <= maxCount {
			c.TotalCount = &n
		}
	}
	return c, nil
}

type page struct {
	size          int
	after, before int64
	backward      bool
}

func pageOf(first *int, after *string, last *int, before *string) (p page, err error) {
	p.size = 50
	if first != nil {
		p.size = *first
	}
	if last != nil {
		p.size, p.backward = *last, true
	}
	if p.size < 0 || p.size > maxPage {
		return p, fault.Invalid("first", "A page has at most %d rows.", maxPage)
	}
	if p.after, err = keyOf("after", after); err != nil {
		return p, err
	}
	p.before, err = keyOf("before", before)
	return p, err
}

// pageOfJobs reads one row more than the page. Several statuses are read one by one and merged: each is in order in its index, together
// they would have to be sorted.
func (r *Resolver) pageOfJobs(ctx context.Context, project int64, f *model.JobFilter, p page) ([]*ent.Job, error) {
	parts := []*model.JobFilter{f}
	if f != nil && len(f.Status) > 1 {
		parts = parts[:0]
		seen := map[job.Status]bool{}
		for _, s := range f.Status {
			if seen[s] {
				continue
			}
			seen[s] = true
			g := *f
			g.Status = []job.Status{s}
			parts = append(parts, &g)
		}
	}
	var all []*ent.Job
	for _, g := range parts {
		ps, err := r.jobPredicates(ctx, project, g)
		if err != nil {
			return nil, err
		}
		q := r.withJobEdges(r.DB.Job.Query().Where(ps...)).Limit(p.size + 1)
		if p.after != 0 {
			q.Where(job.IDLT(p.after))
		}
		if p.before != 0 {
			q.Where(job.IDGT(p.before))
		}
		if p.backward {
			q.Order(job.ByID())
		} else {
			q.Order(job.ByID(sql.OrderDesc()))
		}
		js, err := q.All(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, js...)
	}
	if len(parts) > 1 {
		slices.SortFunc(all, func(a, b *ent.Job) int {
			if p.backward {
				return int(a.ID - b.ID)
			}
			return int(b.ID - a.ID)
		})
	}
	return all[:min(len(all), p.size+1)], nil
}

// countJobs counts up to one more than maxCount.
func (r *Resolver) countJobs(ctx context.Context, project int64, f *model.JobFilter) (int, error) {
	ps, err := r.jobPredicates(ctx, project, f)
	if err != nil {
		return 0, err
	}
	ids, err := r.DB.Job.Query().Where(ps...).Limit(maxCount + 1).IDs(ctx)
	return len(ids), err
}

// jobCounts counts a project's jobs per status, under the rest of the filter.
func (r *Resolver) jobCounts(ctx context.Context, p *ent.Project, f *model.JobFilter) ([]*model.JobStatusCount, error) {
	var out []*model.JobStatusCount
	for _, s := range []job.Status{job.StatusQueued, job.StatusAssigned, job.StatusRunning, job.StatusCompleted, job.StatusFailed, job.StatusCanceled} {
		n := 0
		var err error
		if f == nil {
			n, err = r.countPlain(ctx, p.ID, s)
		} else {
			g := *f
			g.Status = []job.Status{s}
			n, err = r.countJobs(ctx, p.ID, &g)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, &model.JobStatusCount{Status: s, Count: min(n, maxCount), AtLeast: n > maxCount})
	}
	return out, nil
}

// countPlain counts in the index alone. The guard does not see plain SQL: the project came through it.
func (r *Resolver) countPlain(ctx context.Context, project int64, s job.Status) (n int, err error) {
	rows, err := r.DB.Query(ctx, `SELECT count(*) FROM (SELECT 1 AS one FROM jobs WHERE project_id = ? AND status = ? LIMIT 10001) AS c`, project, string(s))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	return n, err
}
