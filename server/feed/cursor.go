package feed

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// position is a place in the feed: everything at or before it has been read, whatever commits later comes after it.
//
// On SQLite ids are given in commit order and xid is 0. On PostgreSQL a row can commit after one with a higher id, so rows are ordered
// by the transaction that wrote them first, and the reader stops before the oldest transaction that is still open.
type position struct {
	xid uint64
	id  int64
}

func (p position) after(q position) bool { return p.xid > q.xid || p.xid == q.xid && p.id > q.id }

// String is the opaque cursor that clients hold.
func (p position) String() string {
	return fmt.Sprintf("f%s.%s", strconv.FormatUint(p.xid, 36), strconv.FormatInt(p.id, 36))
}

// parse reads a cursor; false for what was never given out.
func parse(s string) (position, bool) {
	a, b, ok := strings.Cut(strings.TrimPrefix(s, "f"), ".")
	if !ok || !strings.HasPrefix(s, "f") || len(s) > 64 {
		return position{}, false
	}
	xid, err := strconv.ParseUint(a, 36, 64)
	if err != nil || xid > math.MaxInt64 {
		return position{}, false
	}
	id, err := strconv.ParseInt(b, 36, 64)
	if err != nil || id < 0 {
		return position{}, false
	}
	return position{xid, id}, true
}
