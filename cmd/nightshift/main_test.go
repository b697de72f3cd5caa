package main

import (
	"os"
	"testing"
)

// TestMain: the test binary is also the product, so that tests run it as people do, in processes that can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("NIGHTSHIFT_TEST_AS_PRODUCT") == "1" || len(os.Args) == 3 && os.Args[1] == "supervise" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}
