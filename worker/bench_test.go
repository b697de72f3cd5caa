package worker

import "testing"

// BenchmarkNoOpJob is what one job costs the worker and its supervisor, beside a server that costs nothing.
func BenchmarkNoOpJob(b *testing.B) {
	api := newFakeAPI(b)
	begin(b, api)
	for b.Loop() {
		api.await(api.add("true"))
	}
}
