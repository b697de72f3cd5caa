package main

import (
	"os"
	"strings"
)

// tr chooses the sentence in the person's language: Japanese where NIGHTSHIFT_LANG or the locale says so, else English.
func tr(en, ja string) string {
	for _, name := range []string{"NIGHTSHIFT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "ja") {
				return ja
			}
			return en
		}
	}
	return en
}
