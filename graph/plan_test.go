package graph

import (
	"context"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	"nightshift/ent"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/server/access"
	"nightshift/server/db/dbtest"
)

// What a page of jobs loads beside its rows must be looked up by key, however many jobs the project has: the guard must not lead SQLite
// to the index of the whole project (R116).
func TestTheGuardLeavesTheChoiceOfIndexToTheQuery(t *testing.T) {
	d := dbtest.SQLite(t)
	v := &access.Viewer{Kind: access.Session, User: &ent.User{ID: 1}, Roles: map[int64]membership.Role{1: membership.RoleViewer}}
	ctx := access.With(context.Background(), v)
	for name, x := range map[string]struct {
		q    *ent.JobQuery
		want string
	}{
		"retried by": {d.Job.Query().Where(job.RetryOfIDIn(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)), "jobs_retry_of_id_key"},
		"id prefix":  {d.Job.Query().Where(inProject(1), job.UUIDGTE("0000"), job.UUIDLT("0000g")), "jobs_uuid_key"},
		"newest":     {d.Job.Query().Where(job.ProjectID(1)).Order(job.ByID(sql.OrderDesc())).Limit(50), "job_project_id_id"},
		"by status":  {d.Job.Query().Where(job.ProjectID(1), job.StatusEQ(job.StatusFailed)).Order(job.ByID(sql.OrderDesc())).Limit(50), "job_project_id_status_id"},
	} {
		var text string
		var args []any
		if _, err := x.q.Modify(func(s *sql.Selector) { // the last to see the statement: the guard has been there
			text, args = s.Clone().Query()
		}).All(ctx); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "+`jobs`.`project_id` IN (?)") {
			t.Errorf("%s: the guard is missing in %s", name, text)
		}
		rows, err := d.Query(ctx, "EXPLAIN QUERY PLAN "+text, args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var a, b, c int
			var line string
			if err := rows.Scan(&a, &b, &c, &line); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(line + "; ")
		}
		rows.Close()
		if !strings.Contains(plan.String(), x.want+" ") || strings.Contains(plan.String(), "TEMP B-TREE") {
			t.Errorf("%s: %s, want index %s", name, plan.String(), x.want)
		}
	}
}
