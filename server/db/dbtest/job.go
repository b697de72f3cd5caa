package dbtest

import (
	"context"
	"fmt"
	"testing"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/job"
	"nightshift/ent/membership"
	"nightshift/ent/run"
	"nightshift/server/access"
	"nightshift/server/db"
)

// Job makes a running job with all that it points to, in a project of its own; its creator, an editor there, is the viewer of the context.
func Job(t testing.TB, d *db.DB, runName string) (*ent.Job, context.Context) {
	t.Helper()
	ctx, n := access.AsSystem(context.Background()), serial.Add(1)
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	u, err := d.User.Create().SetName(fmt.Sprintf("user%d", n)).SetDisplayName("Mika Aalto").Save(ctx)
	must(err)
	p, err := d.Project.Create().SetKey(fmt.Sprintf("p%d", n)).SetName("P").Save(ctx)
	must(err)
	must(d.Membership.Create().SetUserID(u.ID).SetProjectID(p.ID).SetRole(membership.RoleEditor).Exec(ctx))
	e, err := d.Experiment.Create().SetProjectID(p.ID).SetName("default").SetIsDefault(true).Save(ctx)
	must(err)
	c, err := d.Computer.Create().SetName(fmt.Sprintf("box%d", n)).SetKind(computer.KindLocal).SetVisibility(computer.VisibilityPublic).Save(ctx)
	must(err)
	viewer := access.With(context.Background(), &access.Viewer{Kind: access.Session, User: u, Roles: map[int64]membership.Role{p.ID: membership.RoleEditor}})
	return another(t, d, p.ID, e.ID, c.ID, u.ID, runName), viewer
}

func another(t testing.TB, d *db.DB, project, experiment, comp, user int64, runName string) *ent.Job {
	t.Helper()
	ctx := access.AsSystem(context.Background())
	uuid := fmt.Sprintf("%08x-0000-4000-8000-%012x", serial.Add(1)*2654435761&0xffffffff, serial.Load())
	r, err := d.Run.Create().SetUUID(uuid[:35] + "f").SetProjectID(project).SetExperimentID(experiment).SetName(runName).SetKind(run.KindTraining).
		SetParameters(map[string]any{}).SetTags(map[string]any{}).SetCreatedByID(user).Save(ctx)
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Job.Create().SetUUID(uuid).SetProjectID(project).SetRunID(r.ID).SetRunName(runName).SetKind(job.KindTraining).SetComputerID(comp).
		SetCreatedByID(user).SetStatus(job.StatusRunning).SetCommand("true").SetEnvironment(map[string]string{}).Save(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Sibling makes another job in the same project.
func Sibling(t testing.TB, d *db.DB, j *ent.Job, runName string) *ent.Job {
	t.Helper()
	r, err := d.Run.Get(access.AsSystem(context.Background()), j.RunID)
	if err != nil {
		t.Fatal(err)
	}
	return another(t, d, j.ProjectID, r.ExperimentID, j.ComputerID, j.CreatedByID, runName)
}
