package queue

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightshift/ent/job"
	"nightshift/ent/run"
	"nightshift/server/fault"
)

// Limits of a launch (decisions.md, Defaults).
const (
	maxCommand   = 64 << 10
	maxJSON      = 256 << 10
	maxDepend    = 1000
	minPriority  = -1000
	maxPriority  = 1000
	maxTimeLimit = 366 * 24 * 3600
)

var (
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	secretLike = regexp.MustCompile(`(?i)(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|(^|_)KEY$)`)
	timeForm   = regexp.MustCompile(`^(?:(\d{1,3})-)?(\d{1,4}):([0-5]\d):([0-5]\d)$`)
)

// check is the one look at a launch's form, at the door.
func (in *Launch) check() error {
	if strings.TrimSpace(in.Command) == "" {
		return fault.Invalid("command", "The command is empty.")
	}
	if len(in.Command) > maxCommand {
		return fault.Invalid("command", "The command is %d bytes long; at most %d are allowed. Put it into a script and run that.", len(in.Command), maxCommand)
	}
	if strings.ContainsRune(in.Command, 0) || !utf8.ValidString(in.Command) {
		return fault.Invalid("command", "The command holds a NUL character or bytes that are not UTF-8.")
	}
	in.Name = strings.TrimSpace(in.Name)
	if in.Name == "" {
		in.Name = NameOf(in.Command)
	}
	if utf8.RuneCountInString(in.Name) > 200 || strings.IndexFunc(in.Name, unicode.IsControl) >= 0 {
		return fault.Invalid("name", "A run's name has at most 200 characters and no control characters.")
	}
	if err := job.KindValidator(in.Kind); err != nil {
		return fault.Invalid("kind", "There is no run kind %q.", in.Kind)
	}
	if d := in.WorkingDirectory; d != "" && (!path.IsAbs(d) && d != "~" && !strings.HasPrefix(d, "~/") || strings.ContainsRune(d, 0)) {
		return fault.Invalid("workingDirectory", "The working directory must be an absolute path on the computer, or start with ~/.")
	}
	if in.GPUCount != 0 && len(in.GPUIDs) > 0 {
		return fault.Invalid("gpuCount", "Give either gpuIds or gpuCount, not both.")
	}
	if in.GPUCount < 0 || in.GPUCount > 63 {
		return fault.Invalid("gpuCount", "gpuCount is 0 to 63.")
	}
	if in.MaxAttempts < 1 || in.MaxAttempts > 100 {
		return fault.Invalid("maxAttempts", "maxAttempts is 1 to 100.")
	}
	if in.Priority < minPriority || in.Priority > maxPriority {
		return fault.Invalid("priority", "The priority is %d to %d.", minPriority, maxPriority)
	}
	if len(in.After)+len(in.AfterAny) > maxDepend {
		return fault.Invalid("after", "A job waits for at most %d others.", maxDepend)
	}
	if len(in.RequestID) > 64 {
		return fault.Invalid("requestId", "requestId is a UUID.")
	}
	return in.checkMaps()
}

func (in *Launch) checkMaps() error {
	for field, v := range map[string]any{"parameters": in.Parameters, "tags": in.Tags, "environment": in.Environment, "secretEnvironment": in.Secrets} {
		b, err := json.Marshal(v)
		if err != nil {
			return fault.Invalid(field, "This is not a JSON object.")
		}
		if len(b) > maxJSON {
			return fault.Invalid(field, "It is %d bytes long; at most %d are allowed.", len(b), maxJSON)
		}
		if strings.Contains(string(b), `\u0000`) {
			return fault.Invalid(field, "It holds a NUL character.")
		}
	}
	for name, v := range in.Environment {
		if err := checkVariable("environment", name, v); err != nil {
			return err
		}
		if secretLike.MatchString(name) {
			return fault.Invalid("environment", "%s looks like a secret, and environment is readable by every viewer: put it into secretEnvironment.", name)
		}
		if _, both := in.Secrets[name]; both {
			return fault.Invalid("environment", "%s is in environment and in secretEnvironment.", name)
		}
	}
	for name, v := range in.Secrets {
		if err := checkVariable("secretEnvironment", name, v); err != nil {
			return err
		}
	}
	return nil
}

func checkVariable(field, name, value string) error {
	if !envName.MatchString(name) {
		return fault.Invalid(field, "%q cannot name an environment variable.", name)
	}
	if strings.HasPrefix(name, "NIGHTSHIFT_") {
		return fault.Invalid(field, "Names that start with NIGHTSHIFT_ are set by Nightshift: choose another than %s.", name)
	}
	if strings.ContainsRune(value, 0) {
		return fault.Invalid(field, "The value of %s holds a NUL character.", name)
	}
	return nil
}

// NameOf makes a run's name from its command: the first line, shortened.
func NameOf(command string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(command), "\n")
	line = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, line)), " ")
	if r := []rune(line); len(r) > 80 {
		line = string(r[:79]) + "…"
	}
	if line == "" {
		return "job"
	}
	return line
}

// ParseTimeLimit reads HH:MM:SS or D-HH:MM:SS as seconds; nil for an empty string.
func ParseTimeLimit(s string) (*int, error) {
	if s == "" {
		return nil, nil
	}
	m := timeForm.FindStringSubmatch(s)
	if m == nil {
		return nil, fault.Invalid("timeLimit", "A time limit looks like 02:00:00 (hours, minutes, seconds) or 1-12:00:00 (days first), not %q.", s)
	}
	n := make([]int, 4)
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	sec := ((n[0]*24+n[1])*60+n[2])*60 + n[3]
	if sec < 1 || sec > maxTimeLimit {
		return nil, fault.Invalid("timeLimit", "A time limit is between 1 second and %d days.", maxTimeLimit/86400)
	}
	return &sec, nil
}

func runKind(k job.Kind) run.Kind { return run.Kind(fmt.Sprint(k)) }
