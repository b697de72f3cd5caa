package graph

import (
	"context"
	"slices"
	"strings"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/graph/model"
	"nightshift/server/queue"
)

// matcher is jobPredicates for rows that are loaded already: the change feed loads a changed job once for everybody, and asks each
// subscriber's filter in memory. A test holds the two together.
func (r *Resolver) matcher(ctx context.Context, f *model.JobFilter) (func(*ent.Job) bool, error) {
	if f == nil {
		return func(*ent.Job) bool { return true }, nil
	}
	if _, err := r.jobPredicates(ctx, 0, f); err != nil { // refuses what the list refuses
		return nil, err
	}
	var computers []int64
	byComputer := value(f.Computer) != ""
	if byComputer {
		var err error
		computers, err = r.DB.Computer.Query().Where(computer.Or(computer.Name(*f.Computer), computer.ID(queue.ID(*f.Computer)))).IDs(ctx)
		if err != nil {
			return nil, err
		}
	}
	text := strings.TrimSpace(value(f.Text))
	low := strings.ToLower(text)
	hex := len(low) <= 36 && strings.Trim(low, "0123456789abcdef-") == ""
	return func(j *ent.Job) bool {
		switch {
		case len(f.Status) > 0 && !slices.Contains(f.Status, j.Status),
			len(f.Kinds) > 0 && !slices.Contains(f.Kinds, j.Kind),
			len(f.EndReasons) > 0 && (j.EndReason == nil || !slices.Contains(f.EndReasons, *j.EndReason)),
			byComputer && !slices.Contains(computers, j.ComputerID),
			value(f.CreatedBy) != "" && j.CreatedByID != queue.ID(*f.CreatedBy),
			value(f.ArrayID) != "" && (j.ArrayID == nil || *j.ArrayID != queue.ID(*f.ArrayID)):
			return false
		case text == "":
			return true
		}
		return strings.HasPrefix(j.RunName, text) || hex && strings.HasPrefix(j.UUID, low) || strings.Contains(strings.ToLower(j.RunName), low)
	}, nil
}
