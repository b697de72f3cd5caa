package joblog

import (
	"encoding/json"
	"math"
	"strings"

	"nightshift/server/fault"
)

// Progress is a job's progress as last read from its output.
type Progress struct {
	Percent    float64 `json:"percent"`
	Current    *int64  `json:"current,omitempty"`
	Total      *int64  `json:"total,omitempty"`
	EtaSeconds *int64  `json:"etaSeconds,omitempty"`
	Label      *string `json:"label,omitempty"`
}

const maxLabel = 200

// encode checks it and makes it fit to be stored; nil for none.
func (p *Progress) encode() ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	if math.IsNaN(p.Percent) || math.IsInf(p.Percent, 0) {
		return nil, fault.Invalid("progress", "percent is a number from 0 to 100.")
	}
	p.Percent = max(0, min(100, p.Percent))
	if p.Label != nil {
		s := strings.ReplaceAll(strings.ToValidUTF8(*p.Label, "\uFFFD"), "\x00", "\u2400")
		if len(s) > maxLabel {
			s = strings.ToValidUTF8(s[:maxLabel], "") + "…"
		}
		p.Label = &s
	}
	return json.Marshal(p)
}

// differs compares with what is stored, as JSON reads it.
func (p *Progress) differs(stored map[string]any) bool {
	same := stored["percent"] == p.Percent && number(stored["current"], p.Current) && number(stored["total"], p.Total) &&
		number(stored["etaSeconds"], p.EtaSeconds)
	if p.Label == nil {
		return !same || stored["label"] != nil
	}
	return !same || stored["label"] != *p.Label
}

func number(stored any, v *int64) bool {
	if v == nil {
		return stored == nil
	}
	f, ok := stored.(float64)
	return ok && f == float64(*v)
}
