package queue

import (
	"context"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"nightshift/ent"
	"nightshift/ent/computer"
	"nightshift/ent/gpu"
	"nightshift/server/db"
)

// capacity is what a computer has free. The claim decides by it, and Waiting explains by it: one implementation, so they cannot disagree.
type capacity struct {
	computer *ent.Computer
	all      uint64          // its GPUs
	held     uint64          // those that a job holds
	reserved uint64          // those kept free for a job that has waited long
	places   map[int]bool    // numbers of the taken places
	holders  map[int64]int64 // GPU number → job
}

func loadCapacity(ctx context.Context, c *ent.Client, q db.Querier, bind func(string) string, comp *ent.Computer) (*capacity, error) {
	k := &capacity{computer: comp, places: map[int]bool{}, holders: map[int64]int64{}}
	gpus, err := c.Gpu.Query().Where(gpu.ComputerID(comp.ID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range gpus {
		k.all |= 1 << g.Number
		if g.JobID != nil {
			k.held |= 1 << g.Number
			k.holders[int64(g.Number)] = *g.JobID
		}
	}
	rows, err := q.QueryContext(ctx, bind(`SELECT number FROM slots WHERE computer_id = ?`), comp.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		k.places[n] = true
	}
	return k, rows.Err()
}

// full tells whether the limit of jobs at once is reached.
func (k *capacity) full() bool {
	return k.computer.MaxJobs != nil && len(k.places) >= *k.computer.MaxJobs
}

// place is the lowest free place, or -1.
func (k *capacity) place() int {
	for n := 0; k.computer.MaxJobs == nil || n < *k.computer.MaxJobs; n++ {
		if !k.places[n] {
			return n
		}
	}
	return -1
}

// closed says why the computer takes no jobs at all; empty when it does.
func (k *capacity) closed(localExecutor bool) string {
	switch {
	case k.computer.DeletedAt != nil:
		return "COMPUTER_DELETED"
	case !k.computer.Enabled:
		return "COMPUTER_DISABLED"
	case k.computer.Kind == computer.KindLocal && !localExecutor:
		return "LOCAL_EXECUTOR_OFF"
	}
	return ""
}

// fits chooses GPUs for a class of need. possible is false when the computer can never satisfy it.
func (k *capacity) fits(need string) (mask uint64, now, possible bool) {
	chosen, count := parseNeed(need)
	if chosen != 0 {
		if chosen&^k.all != 0 {
			return 0, false, false
		}
		return chosen, chosen&(k.held|k.reserved) == 0, true
	}
	if count > bits.OnesCount64(k.all) {
		return 0, false, false
	}
	free := k.all &^ (k.held | k.reserved)
	if bits.OnesCount64(free) < count {
		return 0, false, true
	}
	for i := 0; count > 0; i++ {
		if free&(1<<i) != 0 {
			mask |= 1 << i
			count--
		}
	}
	return mask, true, true
}

// reserve keeps what a job needs from those behind it.
func (k *capacity) reserve(need string) {
	chosen, count := parseNeed(need)
	k.reserved |= chosen
	free := k.all &^ (k.held | k.reserved)
	for i := 0; count > 0 && i < 64; i++ {
		if free&(1<<i) != 0 {
			k.reserved |= 1 << i
			count--
		}
	}
}

func parseNeed(need string) (mask uint64, count int) {
	if s, ok := strings.CutPrefix(need, "m"); ok {
		mask, _ = strconv.ParseUint(s, 10, 64)
	} else if s, ok := strings.CutPrefix(need, "n"); ok {
		count, _ = strconv.Atoi(s)
	}
	return mask, count
}

func numbers(mask uint64) (out []int) {
	for i := range 64 {
		if mask&(1<<i) != 0 {
			out = append(out, i)
		}
	}
	return out
}

func waitedLong(readyAt *time.Time, now time.Time) bool {
	return readyAt != nil && now.Sub(*readyAt) >= PatienceBeforeReserving
}
