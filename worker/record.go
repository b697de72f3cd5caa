package worker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"nightshift/client"
)

const recordFile = "job.json"

// stage is how far a job is known to have come; it is on disk before the step is taken.
type stage string

const (
	claimed  stage = "claimed"  // ours, nothing done: it may be given back
	starting stage = "starting" // its supervisor may exist: only starting it again, which does nothing twice, is safe
)

// record is what a worker keeps of a job on disk, so that the next one can go on.
type record struct {
	Job     client.ClaimedJob
	Claimed time.Time
	Stage   stage
	BootID  string
	Cursor  cursor // in the log
}

func readRecord(dir string) (*record, error) {
	b, err := os.ReadFile(filepath.Join(dir, recordFile))
	if err != nil {
		return nil, err
	}
	r := new(record)
	return r, json.Unmarshal(b, r)
}

// write keeps the record. It holds the lease and secrets, so that only the worker may read it.
func (r *record) write(dir string) error {
	return writeJSON(filepath.Join(dir, recordFile), r, 0o600)
}
