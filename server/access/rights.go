package access

import (
	"context"

	"nightshift/ent"
	"nightshift/ent/membership"
	"nightshift/server/fault"
)

// Action is something a person may or may not do in a project.
type Action string

// The actions that a role decides.
const (
	View     Action = "see it"
	Launch   Action = "launch jobs"
	OwnJob   Action = "stop, rerun or change jobs"
	AnyJob   Action = "stop, rerun or change other people's jobs"
	Priority Action = "raise the priority above 0"
	Members  Action = "manage members"
)

// rights is the one table of who may what.
var rights = map[Action]membership.Role{
	View:     membership.RoleViewer,
	Launch:   membership.RoleEditor,
	OwnJob:   membership.RoleEditor,
	AnyJob:   membership.RoleAdmin,
	Priority: membership.RoleAdmin,
	Members:  membership.RoleAdmin,
}

func rank(r membership.Role) int {
	switch r {
	case membership.RoleViewer:
		return 1
	case membership.RoleEditor:
		return 2
	case membership.RoleAdmin:
		return 3
	}
	return 0
}

// Can tells whether the viewer's role allows an action in a project.
func (v *Viewer) Can(a Action, project int64) bool {
	return v.Kind == System || rank(v.Role(project)) >= rank(rights[a]) && v.Sees(project)
}

// Require is Can as an error: NOT_FOUND where the viewer may not even see the project, else FORBIDDEN.
func Require(ctx context.Context, a Action, project int64) error {
	v := From(ctx)
	if !v.Sees(project) {
		return fault.Missing("project")
	}
	if !v.Can(a, project) {
		return fault.Denied("Your role in this project does not let you %s. Ask a project administrator.", string(a))
	}
	return nil
}

// MayChange tells whether the viewer may stop, rerun, hold or otherwise change a job: its creator who is still an editor, or a
// project admin. A job token may change the children of its own job.
func (v *Viewer) MayChange(j *ent.Job) bool {
	if v.Kind == Job {
		return j.ParentID != nil && *j.ParentID == v.JobID
	}
	if !v.Person() && v.Kind != System {
		return false
	}
	return v.Can(AnyJob, j.ProjectID) || j.CreatedByID == v.UserID() && v.Can(OwnJob, j.ProjectID)
}

// MayUse tells whether the viewer may launch on a computer: a public one, or their own.
func (v *Viewer) MayUse(c *ent.Computer) bool {
	return c.DeletedAt == nil && (c.Visibility == "PUBLIC" || v.MayManage(c))
}

// MayManage tells whether the viewer may change a computer and give out tokens for it: its owner and global administrators. A token
// never makes its owner a global administrator, so there it must be the owner's.
func (v *Viewer) MayManage(c *ent.Computer) bool {
	return v.GlobalAdmin() || v.Person() && c.OwnerID != nil && *c.OwnerID == v.UserID()
}
