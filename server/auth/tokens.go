package auth

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/project"
	enttoken "nightshift/ent/token"
	"nightshift/server/access"
	"nightshift/server/fault"
	"nightshift/server/token"
)

const (
	day             = 24 * time.Hour
	maxDays         = 365
	maxWorkerDays   = 3650
	maxTokenName    = 100
	computersAToken = 100
)

// Scopes are all there are.
func Scopes() []string {
	return []string{"READ", "RUNS_WRITE", "JOBS_WRITE", "ARTIFACTS_WRITE", "REGISTRY_WRITE", "WORKER_EXECUTE", "ADMIN"}
}

func someScopes(scopes []string) ([]string, error) {
	var out []string
	for _, s := range scopes {
		if !slices.Contains(Scopes(), s) {
			return nil, fault.Invalid("scopes", "There is no scope %q. Choose from %s.", s, strings.Join(Scopes(), ", "))
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fault.Invalid("scopes", "Choose at least one scope.")
	}
	return out, nil
}

func tokenName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || len(name) > maxTokenName || strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return "", fault.Invalid("name", "Give the token a name of at most %d bytes, such as the machine it is for.", maxTokenName)
	}
	return name, nil
}

// CreateAPIToken makes a token of the viewer's own. The secret is returned once, never again.
func (r *Room) CreateAPIToken(ctx context.Context, name string, scopes []string, days int) (*ent.Token, string, error) {
	u, err := access.Person(ctx)
	if err != nil {
		return nil, "", err
	}
	if name, err = tokenName(name); err != nil {
		return nil, "", err
	}
	if scopes, err = someScopes(scopes); err != nil {
		return nil, "", err
	}
	if days < 1 || days > maxDays {
		return nil, "", fault.Invalid("expiresInDays", "A token lasts 1 to %d days.", maxDays)
	}
	return r.mint(ctx, r.DB.Client, u.ID, name, scopes, time.Duration(days)*day)
}

func (r *Room) mint(ctx context.Context, c *ent.Client, userID int64, name string, scopes []string, lasts time.Duration) (*ent.Token, string, error) {
	secret := token.Mint(token.API)
	t, err := c.Token.Create().SetKind(enttoken.KindApi).SetHash(token.Hash(secret)).SetPrefix(token.Hint(secret)).SetName(name).
		SetUserID(userID).SetScopes(scopes).SetExpiresAt(r.now().Add(lasts)).Save(ctx)
	return t, secret, err
}

// CreateWorkerToken makes a token for the workers of one project on named computers, each the viewer's to manage. It tells which.
func (r *Room) CreateWorkerToken(ctx context.Context, projectKey string, names []string, name string, days *int) (*ent.Token, []*ent.Computer, string, error) {
	u, err := access.Person(ctx)
	if err != nil {
		return nil, nil, "", err
	}
	p, err := r.projectByKey(ctx, projectKey)
	if err != nil {
		return nil, nil, "", err
	}
	if len(names) == 0 || len(names) > computersAToken {
		return nil, nil, "", fault.Invalid("computers", "Name the computers the worker may claim for, at most %d.", computersAToken)
	}
	var computers []*ent.Computer
	var ids []int64
	for _, n := range names {
		c, err := r.managed(ctx, n)
		if err != nil {
			return nil, nil, "", err
		}
		if !slices.Contains(ids, c.ID) {
			computers, ids = append(computers, c), append(ids, c.ID)
		}
	}
	if strings.TrimSpace(name) == "" {
		name = "worker"
	}
	if name, err = tokenName(name); err != nil {
		return nil, nil, "", err
	}
	var expires *time.Time
	if days != nil {
		if *days < 1 || *days > maxWorkerDays {
			return nil, nil, "", fault.Invalid("expiresInDays", "A worker token lasts 1 to %d days, or for ever when left out.", maxWorkerDays)
		}
		e := r.now().Add(time.Duration(*days) * day)
		expires = &e
	}
	t, secret, err := r.mintWorker(ctx, u.ID, p.ID, ids, name, expires)
	return t, computers, secret, err
}

// managed is the computer of that id or name that the viewer may give out tokens for; names are unique per owner only.
func (r *Room) managed(ctx context.Context, name string) (*ent.Computer, error) {
	if strings.ContainsRune(name, 0) {
		return nil, fault.Missing("computer")
	}
	found, err := r.DB.Computer.Query().Where(computer.Or(computer.Name(name), computer.ID(keyOf(name))), computer.DeletedAtIsNil()).Order(computer.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	v := access.From(ctx)
	var mine []*ent.Computer
	visible := false
	for _, c := range found {
		visible = visible || v.MayUse(c)
		if v.MayManage(c) {
			mine = append(mine, c)
		}
	}
	own := slices.IndexFunc(mine, func(c *ent.Computer) bool { return c.OwnerID != nil && *c.OwnerID == v.UserID() })
	exact := slices.IndexFunc(mine, func(c *ent.Computer) bool { return c.ID == keyOf(name) })
	switch {
	case exact >= 0:
		return mine[exact], nil
	case len(mine) == 1:
		return mine[0], nil
	case own >= 0:
		return mine[own], nil
	case len(mine) > 1:
		return nil, fault.Invalid("computers", "There are several computers named %q: give the id of the one you mean.", name)
	case visible:
		return nil, fault.Denied("Only the owner of %q or a global administrator can make worker tokens for it.", name)
	}
	return nil, fault.Missing("computer")
}

func (r *Room) projectByKey(ctx context.Context, key string) (*ent.Project, error) {
	if !keyForm.MatchString(key) {
		return nil, fault.Missing("project")
	}
	p, err := r.DB.Project.Query().Where(project.Key(key)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("project")
	}
	return p, err
}

func (r *Room) mintWorker(ctx context.Context, userID, projectID int64, computers []int64, name string, expires *time.Time) (*ent.Token, string, error) {
	secret := token.Mint(token.Worker)
	t, err := r.DB.Token.Create().SetKind(enttoken.KindWorker).SetHash(token.Hash(secret)).SetPrefix(token.Hint(secret)).SetName(name).
		SetUserID(userID).SetProjectID(projectID).SetComputerIds(computers).SetNillableExpiresAt(expires).Save(ctx)
	return t, secret, err
}

// Revoke ends a token: one's own, or a worker token whose project one administers or whose computers one owns. An API token stops at
// once; a worker's claims nothing more, but may report on what it runs.
func (r *Room) Revoke(ctx context.Context, id int64) (*ent.Token, error) {
	ctx2 := access.AsSystem(ctx) // the owner of a computer need not be a member of the project
	t, err := r.DB.Token.Query().Where(enttoken.ID(id), enttoken.KindNEQ(enttoken.KindJob)).Only(ctx2)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("token")
	} else if err != nil {
		return nil, err
	}
	if may, err := r.mayRevoke(ctx, t); err != nil {
		return nil, err
	} else if !may {
		return nil, fault.Missing("token")
	}
	_, err = r.DB.Token.Update().Where(enttoken.ID(id), enttoken.RevokedAtIsNil()).SetRevokedAt(r.now()).Save(ctx2)
	r.Forget()
	if err != nil {
		return nil, err
	}
	return r.DB.Token.Get(ctx2, id)
}

func (r *Room) mayRevoke(ctx context.Context, t *ent.Token) (bool, error) {
	v := access.From(ctx)
	if v.Kind == access.System || v.Person() && t.UserID == v.UserID() {
		return true, nil
	}
	if t.Kind != enttoken.KindWorker || !v.Person() {
		return false, nil
	}
	if t.ProjectID != nil && v.Can(access.Members, *t.ProjectID) {
		return true, nil
	}
	n, err := r.DB.Computer.Query().Where(computer.IDIn(t.ComputerIds...), computer.OwnerID(v.UserID())).Count(ctx)
	return n > 0, err
}

// keyOf reads a decimal key; what is not one can belong to nothing.
func keyOf(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
