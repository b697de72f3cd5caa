package main

import (
	"os/exec"
	"strings"
	"testing"
)

// floors is who may import whom inside the house (docs/architecture.md). A package that is not named may import nothing of ours.
var floors = map[string][]string{
	"server/fault": {}, "server/token": {}, "logframe": {},
	"server/db":       {"ent"},
	"server/pubsub":   {},
	"server/access":   {"ent", "server/fault"},
	"server/timeline": {"ent", "server/access", "server/db", "server/fault", "server/pubsub"},
	"server/feed":     {"ent", "server/access", "server/db", "server/fault", "server/pubsub"},
	"server/joblog":   {"ent", "logframe", "server/access", "server/db", "server/fault", "server/feed", "server/pubsub"},
	"server/auth":     {"ent", "server/access", "server/db", "server/fault", "server/pubsub", "server/token"},
	"server/queue":    {"ent", "server/access", "server/db", "server/fault", "server/feed", "server/pubsub", "server/timeline", "server/token"},
	"server/demo":     {"ent", "server/access", "server/queue"},
	"server":          {},
	"graph": {"ent", "graph/model", "logframe", "server/access", "server/auth", "server/db", "server/fault", "server/feed", "server/joblog", "server/pubsub",
		"server/queue", "server/timeline"},
	"graph/model":      {"ent", "server/access"},
	"client":           {},
	"worker":           {"client", "logframe", "worker/supervise", "worker/helper"},
	"worker/supervise": {},
	"worker/helper":    {"worker/supervise"},
	"frontend":         {},
}

func TestImportsPointDownOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "nightshift/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		pkg, imports, _ := strings.Cut(line, ": ")
		pkg = strings.TrimPrefix(pkg, "nightshift/")
		if pkg == "ent" || strings.HasPrefix(pkg, "ent/") || pkg == "cmd/nightshift" || pkg == "server/db/dbtest" || strings.HasPrefix(pkg, "worker/helper/") {
			continue
		}
		for _, i := range strings.Fields(imports) {
			i, ours := strings.CutPrefix(i, "nightshift/")
			if !ours {
				continue
			}
			if strings.HasPrefix(i, "ent/") {
				i = "ent"
			}
			allowed := false
			for _, a := range floors[pkg] {
				allowed = allowed || a == i
			}
			if !allowed {
				t.Errorf("%s imports %s: not a floor below (docs/architecture.md)", pkg, i)
			}
		}
	}
}
