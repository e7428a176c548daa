// Reads an OpenVEX export with OpenVEX's own library, merges it as `vexctl merge` does, and prints which findings the merged
// document suppresses, as scanners that use the library do.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/openvex/go-vex/pkg/vex"
)

type finding struct {
	Vulnerability string `json:"vulnerability"`
	Product       string `json:"product"`
	Component     string `json:"component"`
}

func main() {
	suppressed, err := suppressedIn(os.Args[1], os.Args[2], os.Args[3])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(suppressed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func suppressedIn(export, other, findings string) ([]finding, error) {
	document, err := vex.Open(export)
	if err != nil {
		return nil, err
	}
	for i := range document.Statements {
		if err := document.Statements[i].Validate(); err != nil {
			return nil, err
		}
	}
	merged, err := vex.MergeFiles([]string{export, other})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(findings)
	if err != nil {
		return nil, err
	}
	var asked []finding
	if err := json.Unmarshal(text, &asked); err != nil {
		return nil, err
	}
	suppressed := []finding{}
	for _, one := range asked {
		statements := merged.Matches(one.Vulnerability, one.Product, []string{one.Component})
		if len(statements) == 0 {
			continue
		}
		// The latest statement counts.
		last := statements[len(statements)-1]
		if last.Status == vex.StatusNotAffected || last.Status == vex.StatusFixed {
			suppressed = append(suppressed, one)
		}
	}
	return suppressed, nil
}
