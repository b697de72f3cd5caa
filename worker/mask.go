package worker

import "time"

type masker struct{ at time.Time }

func newMasker(secrets []string) *masker { return &masker{} }

func (m *masker) hide(at time.Time, b []byte) []byte { m.at = at; return b }
func (m *masker) flush() (time.Time, []byte)         { return m.at, nil }
func (m *masker) idle() bool                         { return true }
