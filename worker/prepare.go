package worker

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The directories of a job, under its own:
//
//	process/   the supervisor's: spool and exit
//	files/     NIGHTSHIFT_JOB_DIR, the job's user may do there what it likes: parameters.json inputs/ outputs/
func (j *job) process() string { return filepath.Join(j.dir, "process") }
func (j *job) files() string   { return filepath.Join(j.dir, "files") }

// plan is what will be started.
type plan struct {
	argv []string
	dir  string
	env  []string
}

// prepare makes the job's directories and decides what is started. Its error is for the job's user.
func (j *job) prepare() (plan, error) {
	dir, err := j.workingDirectory()
	if err != nil {
		return plan{}, err
	}
	files := j.files()
	if err := os.Mkdir(j.dir+"/process", 0o700); err != nil && !os.IsExist(err) {
		return plan{}, err
	}
	for _, d := range []string{files, filepath.Join(files, "inputs"), filepath.Join(files, "outputs")} {
		if err := os.Mkdir(d, 0o700); err != nil && !os.IsExist(err) {
			return plan{}, fmt.Errorf("make the job's directory: %w", err)
		}
		if err := j.w.as.own(d); err != nil {
			return plan{}, fmt.Errorf("give the job's directory to its user: %w", err)
		}
	}
	parameters := filepath.Join(files, "parameters.json")
	if err := os.WriteFile(parameters, orEmpty(j.rec.Job.Parameters), 0o600); err != nil {
		return plan{}, fmt.Errorf("write the parameters: %w", err)
	}
	if err := j.w.as.own(parameters); err != nil {
		return plan{}, err
	}
	env, err := j.environment(dir)
	return plan{argv: shell(j.rec.Job.Command), dir: dir, env: env}, err
}

// shell is the command line of a job; a command that begins like an option is still a command.
func shell(command string) []string {
	if strings.HasPrefix(command, "-") || strings.HasPrefix(command, "+") {
		return []string{"/bin/sh", "-c", "--", command}
	}
	return []string{"/bin/sh", "-c", command}
}

// workingDirectory is where the command runs: its own choice, the worker's or the computer's work folder, or the user's home.
func (j *job) workingDirectory() (string, error) {
	dir := j.w.sharedDir()
	if own := j.rec.Job.WorkingDirectory; own != nil && *own != "" {
		dir = j.w.as.expand(*own, dir)
	}
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return dir, nil
	case os.IsNotExist(err) || err == nil:
		return "", fmt.Errorf("workdir_missing: %s", dir)
	}
	return "", fmt.Errorf("the working directory %s cannot be used: %w", dir, err)
}

// sharedDir is the folder that all jobs of this computer share.
func (w *Worker) sharedDir() string {
	w.mu.Lock()
	dir := w.workFolder
	w.mu.Unlock()
	if w.o.WorkFolder != "" {
		dir = w.o.WorkFolder
	}
	return w.as.expand(dir, w.as.home)
}

// expand makes a path absolute: ~ is the home, and what is relative is under base.
func (a *account) expand(path, base string) string {
	switch {
	case path == "":
		return base
	case path == "~":
		return a.home
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(a.home, path[2:])
	case !filepath.IsAbs(path):
		return filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// withheld are variables of the worker's own environment that no job gets: how the worker itself was set up, and what looks like a
// secret of whoever started it.
var withheld = regexp.MustCompile(`(?i)^(NIGHTSHIFT_.*|.*(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|DATABASE_URL|_DSN).*|PGPASS.*|` +
	`NOTIFY_SOCKET|LISTEN_(FDS|FDNAMES|PID)|WATCHDOG_(USEC|PID)|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MAINPID|MANAGERPID|CUDA_VISIBLE_DEVICES|` +
	`PWD|OLDPWD|SHLVL|_|GOTRACEBACK|GOGC|GOMEMLIMIT|GODEBUG)$`)

// environment is what the process gets: the worker's own environment without what is withheld, the launch's, and ours, the later
// replacing the former.
func (j *job) environment(dir string) ([]string, error) {
	env := map[string]string{"PYTHONUNBUFFERED": "1"} // Python keeps output back in a pipe
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok && !withheld.MatchString(k) {
			env[k] = v
		}
	}
	as := j.w.as
	if as.other || env["HOME"] == "" {
		env["HOME"], env["USER"], env["LOGNAME"] = as.home, as.name, as.name
		for k := range env {
			if strings.HasPrefix(k, "XDG_") || strings.HasPrefix(k, "SUDO_") || k == "MAIL" {
				delete(env, k)
			}
		}
	}
	if env["PATH"] == "" {
		env["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}
	c := &j.rec.Job
	for _, given := range []json.RawMessage{c.Environment, c.SecretEnvironment} {
		m, err := stringsOf(given)
		if err != nil {
			return nil, fmt.Errorf("the job's environment cannot be read: %w", err)
		}
		maps.Copy(env, m)
	}
	ours := map[string]string{
		"PWD":                        dir,
		"NIGHTSHIFT_URL":             j.w.api.URL(),
		"NIGHTSHIFT_TOKEN":           c.JobToken,
		"NIGHTSHIFT_PROJECT":         c.Project,
		"NIGHTSHIFT_RUN_ID":          c.RunId,
		"NIGHTSHIFT_JOB_ID":          c.JobId,
		"NIGHTSHIFT_JOB_KIND":        string(c.Kind),
		"NIGHTSHIFT_ATTEMPT":         strconv.Itoa(c.Attempt),
		"NIGHTSHIFT_PARAMETERS_FILE": filepath.Join(j.files(), "parameters.json"),
		"NIGHTSHIFT_INPUTS_DIR":      filepath.Join(j.files(), "inputs"),
		"NIGHTSHIFT_OUTPUTS_DIR":     filepath.Join(j.files(), "outputs"),
		"NIGHTSHIFT_JOB_DIR":         j.files(),
		"NIGHTSHIFT_SHARED_DIR":      j.w.sharedDir(),
		// Indices, since some programs refuse uuids; in the order that nvidia-smi and the computer's page count them.
		"CUDA_DEVICE_ORDER":    "PCI_BUS_ID",
		"CUDA_VISIBLE_DEVICES": indices(c.GpuIndices),
	}
	if c.ArrayIndex != nil && c.ArraySize != nil {
		ours["NIGHTSHIFT_ARRAY_INDEX"], ours["NIGHTSHIFT_ARRAY_SIZE"] = strconv.Itoa(*c.ArrayIndex), strconv.Itoa(*c.ArraySize)
	}
	maps.Copy(env, ours)
	out := make([]string, 0, len(env))
	for k, v := range env {
		if strings.ContainsRune(k+v, 0) || strings.Contains(k, "=") || k == "" {
			return nil, fmt.Errorf("the environment variable %q cannot be set: its name or value holds a character that none may have", k)
		}
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out, nil
}

func indices(gpus []int) string {
	s := make([]string, len(gpus))
	for i, g := range gpus {
		s[i] = strconv.Itoa(g)
	}
	return strings.Join(s, ",")
}

// stringsOf reads a JSON object of strings; numbers and truth values are taken as they are written.
func stringsOf(raw json.RawMessage) (map[string]string, error) {
	var m map[string]any
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		switch v := v.(type) {
		case string:
			out[k] = v
		case json.Number, bool:
			out[k] = fmt.Sprint(v)
		default:
			return nil, fmt.Errorf("the value of %s is not a string", k)
		}
	}
	return out, nil
}

// secrets are the values that must not leave the worker.
func (j *job) secrets() []string {
	m, _ := stringsOf(j.rec.Job.SecretEnvironment)
	return slices.Collect(maps.Values(m))
}

func orEmpty(raw json.RawMessage) []byte {
	if len(raw) == 0 || string(raw) == "null" {
		return []byte("{}")
	}
	return raw
}
