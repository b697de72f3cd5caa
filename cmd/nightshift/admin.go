package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/membership"
	"nightshift/ent/project"
	"nightshift/ent/token"
	"nightshift/ent/user"
	"nightshift/server/access"
	"nightshift/server/auth"
	"nightshift/server/db"
)

// admin works on the database itself, on the server's own host: for the first administrator, and for the day nobody can sign in.
type admin struct {
	data, database, url, output string
}

func newAdminCmd() *cobra.Command {
	var a admin
	cmd := &cobra.Command{Use: "admin", Short: tr("Users, projects, tokens and the database, on the server's own host", "サーバー本体での、ユーザー・Project・token・データベースの管理")}
	f := cmd.PersistentFlags()
	f.StringVar(&a.data, "data", env("NIGHTSHIFT_DATA", defaultData()), tr("data folder", "データフォルダー"))
	f.StringVar(&a.database, "database", env("NIGHTSHIFT_DATABASE_URL", ""), "postgres://…")
	f.StringVar(&a.url, "server-url", env("NIGHTSHIFT_PUBLIC_URL", "http://127.0.0.1:8420"), tr("the server's address, for links", "リンクに使うサーバーのアドレス"))
	f.StringVarP(&a.output, "output", "o", "table", "table|json")

	users := &cobra.Command{Use: "user", Short: tr("Users", "ユーザー")}
	users.AddCommand(a.userCreate(), a.userList(), a.userLink(), a.userSet("disable"), a.userSet("enable"), a.userSet("promote"), a.userSet("demote"))
	projects := &cobra.Command{Use: "project", Short: tr("Projects and their members", "Projectとメンバー")}
	projects.AddCommand(a.projectCreate(), a.projectList(), a.projectMember())
	tokens := &cobra.Command{Use: "token", Short: tr("API tokens", "API token")}
	tokens.AddCommand(a.tokenCreate(), a.tokenList(), a.tokenRevoke())
	computers := &cobra.Command{Use: "computer", Short: tr("Computers", "コンピュータ")}
	computers.AddCommand(a.computerRebind())
	cmd.AddCommand(users, projects, tokens, computers, a.migrate(), a.backup())
	return cmd
}

// with opens the database and acts as the system.
func (a *admin) with(cmd *cobra.Command, do func(ctx context.Context, r *auth.Room) error) error {
	if a.output != "table" && a.output != "json" {
		return usageError{fmt.Errorf("-o %s: table or json", safe(a.output))}
	}
	d, err := db.Open(cmd.Context(), db.Options{Folder: a.data, URL: a.database})
	if err != nil {
		return err
	}
	defer d.Close()
	access.Guard(d.Client)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	return do(access.AsSystem(cmd.Context()), &auth.Room{DB: d, Log: log, BaseURL: strings.TrimRight(a.url, "/")})
}

// sub makes a command on the database.
func (a *admin) sub(use, short, example string, args int, do func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: "  nightshift admin " + example, Args: cobra.ExactArgs(args),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(ctx context.Context, r *auth.Room) error { return do(ctx, r, args, cmd.OutOrStdout()) })
		},
	}
}

func findUser(ctx context.Context, r *auth.Room, name string) (*ent.User, error) {
	u, err := r.DB.User.Query().Where(user.Name(strings.ToLower(name))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf(tr("there is no user %q", "ユーザー %q はいません"), safe(name))
	}
	return u, err
}

func (a *admin) userCreate() *cobra.Command {
	var isAdmin bool
	var display string
	cmd := a.sub("create NAME", tr("Create a user and print a sign-in link that works once", "ユーザーを作り、1回だけ使えるサインインのリンクを出す"), "user create ada --admin", 1,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			u, err := r.CreateUser(ctx, args[0], display, isAdmin)
			if err != nil {
				return err
			}
			return a.link(ctx, r, u, out)
		})
	cmd.Flags().BoolVar(&isAdmin, "admin", false, tr("a global administrator", "全体管理者にする"))
	cmd.Flags().StringVar(&display, "display-name", "", tr("the name shown", "表示名"))
	return cmd
}

func (a *admin) link(ctx context.Context, r *auth.Room, u *ent.User, out io.Writer) error {
	secret, err := r.NewSignInLink(ctx, u.ID, 7*24*time.Hour)
	if err != nil {
		return err
	}
	link := r.BaseURL + "/sign-in?link=" + secret
	if a.output == "json" {
		return printJSON(out, map[string]string{"user": u.Name, "signInUrl": link})
	}
	fmt.Fprintf(out, tr("%s signs in once, within 7 days, with\n%s\n", "%s は7日以内に1回、次のリンクでサインインできます\n%s\n"), u.Name, link)
	return nil
}

func (a *admin) userLink() *cobra.Command {
	return a.sub("link NAME", tr("Print a sign-in link that works once", "1回だけ使えるサインインのリンクを出す"), "user link ada", 1,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			u, err := findUser(ctx, r, args[0])
			if err != nil {
				return err
			}
			return a.link(ctx, r, u, out)
		})
}

func (a *admin) userList() *cobra.Command {
	return a.sub("list", tr("List users", "ユーザーを並べる"), "user list", 0, func(ctx context.Context, r *auth.Room, _ []string, out io.Writer) error {
		us, err := r.DB.User.Query().Order(user.ByName()).All(ctx)
		if err != nil {
			return err
		}
		if a.output == "json" {
			rows := make([]map[string]any, len(us))
			for i, u := range us {
				rows[i] = map[string]any{"name": u.Name, "displayName": u.DisplayName, "isGlobalAdmin": u.IsGlobalAdmin, "disabledAt": u.DisabledAt, "createdAt": u.CreatedAt}
			}
			return printJSON(out, rows)
		}
		return table(out, tr("NAME\tSHOWN AS\tADMIN\tDISABLED\tCREATED", "名前\t表示名\t管理者\t無効\t作成日時"), func(line func(...any)) {
			for _, u := range us {
				line(u.Name, u.DisplayName, u.IsGlobalAdmin, u.DisabledAt != nil, localTime(&u.CreatedAt))
			}
		})
	})
}

func (a *admin) userSet(what string) *cobra.Command {
	short := map[string]string{
		"disable": tr("Disable a user: sessions and tokens stop at once", "ユーザーを無効にする（セッションとtokenもすぐ止まる）"), "enable": tr("Enable a user again", "ユーザーを有効に戻す"),
		"promote": tr("Make a user a global administrator", "全体管理者にする"), "demote": tr("Take global administration away", "全体管理者から外す"),
	}[what]
	return a.sub(what+" NAME", short, "user "+what+" ada", 1, func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
		u, err := findUser(ctx, r, args[0])
		if err != nil {
			return err
		}
		yes, no := true, false
		c := map[string]auth.UserChange{"disable": {Disabled: &yes}, "enable": {Disabled: &no}, "promote": {GlobalAdmin: &yes}, "demote": {GlobalAdmin: &no}}[what]
		if u, err = r.ChangeUser(ctx, u.ID, c); err != nil {
			return err
		}
		return a.say(out, map[string]any{"user": u.Name, "isGlobalAdmin": u.IsGlobalAdmin, "disabledAt": u.DisabledAt})
	})
}

// say answers a command that has nothing to show.
func (a *admin) say(out io.Writer, done map[string]any) error {
	if a.output == "json" {
		return printJSON(out, done)
	}
	fmt.Fprintln(out, "ok")
	return nil
}

func (a *admin) projectCreate() *cobra.Command {
	var name string
	cmd := a.sub("create KEY ADMIN", tr("Create a project with a user as its admin", "Projectを作り、ユーザーを管理者にする"), "project create vision ada --name \"Vision\"", 2,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			u, err := findUser(ctx, r, args[1])
			if err != nil {
				return err
			}
			if name == "" {
				name = args[0]
			}
			p, err := r.CreateProject(ctx, args[0], name, u.ID)
			if err != nil {
				return err
			}
			if a.output == "json" {
				return printJSON(out, map[string]any{"key": p.Key, "name": p.Name})
			}
			fmt.Fprintln(out, p.Key)
			return nil
		})
	cmd.Flags().StringVar(&name, "name", "", tr("the name shown", "表示名"))
	return cmd
}

func (a *admin) projectList() *cobra.Command {
	return a.sub("list", tr("List projects", "Projectを並べる"), "project list", 0, func(ctx context.Context, r *auth.Room, _ []string, out io.Writer) error {
		ps, err := r.DB.Project.Query().Order(project.ByKey()).All(ctx)
		if err != nil {
			return err
		}
		if a.output == "json" {
			rows := make([]map[string]any, len(ps))
			for i, p := range ps {
				rows[i] = map[string]any{"key": p.Key, "name": p.Name, "createdAt": p.CreatedAt}
			}
			return printJSON(out, rows)
		}
		return table(out, tr("KEY\tNAME\tCREATED", "KEY\t名前\t作成日時"), func(line func(...any)) {
			for _, p := range ps {
				line(p.Key, p.Name, localTime(&p.CreatedAt))
			}
		})
	})
}

func (a *admin) projectMember() *cobra.Command {
	return a.sub("member KEY USER ROLE", tr("Give a user a role: viewer, editor, admin, or none", "ユーザーの役割を決める: viewer, editor, admin, none"), "project member vision mika editor", 3,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			role := membership.Role(strings.ToUpper(args[2]))
			if role != "NONE" && membership.RoleValidator(role) != nil {
				return usageError{fmt.Errorf("role %q: viewer, editor, admin or none", safe(args[2]))}
			}
			var err error
			if role == "NONE" {
				err = r.RemoveMember(ctx, args[0], args[1])
			} else {
				_, err = r.SetMember(ctx, args[0], args[1], role)
			}
			if err != nil {
				return err
			}
			return a.say(out, map[string]any{"project": args[0], "user": args[1], "role": role})
		})
}

func (a *admin) tokenCreate() *cobra.Command {
	var name string
	var scopes []string
	var days int
	cmd := a.sub("create USER", tr("Create an API token of a user; it is printed once", "ユーザーのAPI tokenを作る（1回だけ表示）"), "token create ada --name laptop", 1,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			u, err := findUser(ctx, r, args[0])
			if err != nil {
				return err
			}
			as := access.With(ctx, &access.Viewer{Kind: access.Session, User: u})
			t, secret, err := r.CreateAPIToken(as, name, upper(scopes), days)
			if err != nil {
				return err
			}
			if a.output == "json" {
				return printJSON(out, map[string]any{"id": t.ID, "user": u.Name, "name": t.Name, "secret": secret, "expiresAt": t.ExpiresAt})
			}
			fmt.Fprintln(out, secret)
			return nil
		})
	cmd.Flags().StringVar(&name, "name", "admin", tr("what it is for", "用途"))
	cmd.Flags().StringSliceVar(&scopes, "scopes", []string{"READ", "RUNS_WRITE", "JOBS_WRITE"}, strings.Join(auth.Scopes(), ","))
	cmd.Flags().IntVar(&days, "days", 90, tr("how long it lasts, 1 to 365", "有効日数 1〜365"))
	return cmd
}

// upper takes scopes as people type them: runs:write is RUNS_WRITE.
func upper(scopes []string) []string {
	out := make([]string, len(scopes))
	for i, s := range scopes {
		out[i] = strings.NewReplacer(":", "_", "-", "_").Replace(strings.ToUpper(strings.TrimSpace(s)))
	}
	return out
}

func (a *admin) tokenList() *cobra.Command {
	return a.sub("list", tr("List API and worker tokens", "API tokenとworker tokenを並べる"), "token list", 0, func(ctx context.Context, r *auth.Room, _ []string, out io.Writer) error {
		ts, err := r.DB.Token.Query().Where(token.KindNEQ(token.KindJob)).WithUser().WithProject().Order(token.ByID()).All(ctx)
		if err != nil {
			return err
		}
		if a.output == "json" {
			rows := make([]map[string]any, len(ts))
			for i, t := range ts {
				rows[i] = map[string]any{"id": t.ID, "kind": t.Kind, "prefix": t.Prefix, "name": t.Name, "user": t.Edges.User.Name, "scopes": t.Scopes,
					"createdAt": t.CreatedAt, "lastUsedAt": t.LastUsedAt, "expiresAt": t.ExpiresAt, "revokedAt": t.RevokedAt}
				if t.Edges.Project != nil {
					rows[i]["project"] = t.Edges.Project.Key
				}
			}
			return printJSON(out, rows)
		}
		return table(out, tr("ID\tKIND\tSTART\tNAME\tUSER\tPROJECT\tEXPIRES\tREVOKED", "ID\t種類\t先頭\t名前\tユーザー\tPROJECT\t期限\t失効"), func(line func(...any)) {
			for _, t := range ts {
				p := "–"
				if t.Edges.Project != nil {
					p = t.Edges.Project.Key
				}
				line(t.ID, t.Kind, t.Prefix+"…", t.Name, t.Edges.User.Name, p, localTime(t.ExpiresAt), localTime(t.RevokedAt))
			}
		})
	})
}

func (a *admin) tokenRevoke() *cobra.Command {
	return a.sub("revoke ID", tr("Revoke a token", "tokenを失効させる"), "token revoke 12", 1, func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return usageError{errors.New("token revoke: give the id that `admin token list` shows")}
		}
		t, err := r.Revoke(ctx, id)
		if err != nil {
			return err
		}
		return a.say(out, map[string]any{"id": t.ID, "revokedAt": t.RevokedAt})
	})
}

func (a *admin) computerRebind() *cobra.Command {
	return a.sub("rebind NAME", tr("Let a LOCAL computer's next worker come from another host", "LOCALのコンピュータを別のホストのworkerに移す"), "computer rebind gpu-1", 1,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			n, err := r.DB.Computer.Update().Where(computer.Name(args[0]), computer.DeletedAtIsNil()).ClearHostID().Save(ctx)
			if err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf(tr("there is no computer %q", "コンピュータ %q はありません"), safe(args[0]))
			}
			return a.say(out, map[string]any{"computer": args[0]})
		})
}

func (a *admin) migrate() *cobra.Command {
	return a.sub("migrate", tr("Bring the database up to date", "データベースを最新にする"), "migrate", 0, func(ctx context.Context, r *auth.Room, _ []string, out io.Writer) error {
		fmt.Fprintln(out, r.DB.Place) // opening it did the work
		return nil
	})
}

func (a *admin) backup() *cobra.Command {
	return a.sub("backup FILE", tr("Copy the embedded database while it is in use", "使用中の組み込みデータベースを複製する"), "backup /backups/nightshift.db", 1,
		func(ctx context.Context, r *auth.Room, args []string, out io.Writer) error {
			if r.DB.Postgres() {
				return errors.New(tr("use pg_dump for PostgreSQL", "PostgreSQLではpg_dumpを使ってください"))
			}
			// Made before anything is in it, so that nobody else can read it: it holds every hash and every log.
			f, err := os.OpenFile(args[0], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf(tr("%s exists already", "%s はすでにあります"), args[0])
			} else if err != nil {
				return err
			}
			f.Close()
			if err := r.DB.CopyTo(ctx, args[0]); err != nil {
				os.Remove(args[0])
				return err
			}
			fmt.Fprintln(out, args[0])
			return nil
		})
}
