// Renders a Helm chart as Helm does, with Go's templates, Sprig and Helm's own functions, for
// machines without Helm. Debian: golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func read(path string) map[string]interface{} {
	found := map[string]interface{}{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err)
	}
	return found
}

// What is set in `more` wins; maps are merged.
func merge(base, more map[string]interface{}) map[string]interface{} {
	for name, value := range more {
		into, isMap := base[name].(map[string]interface{})
		from, alsoMap := value.(map[string]interface{})
		if isMap && alsoMap {
			value = merge(into, from)
		}
		base[name] = value
	}
	return base
}

// Usage: render CHART VALUES
func main() {
	chart := os.Args[1]
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			panic(err)
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["fail"] = func(said string) (string, error) { return "", fmt.Errorf("%s", said) }
	all.Funcs(functions)

	files, _ := filepath.Glob(filepath.Join(chart, "templates", "*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		template.Must(all.New(filepath.Base(file)).Parse(string(text)))
	}
	about := map[string]interface{}{}
	for name, value := range read(filepath.Join(chart, "Chart.yaml")) {
		about[strings.ToUpper(name[:1])+name[1:]] = value
	}
	data := map[string]interface{}{
		"Values":  merge(read(filepath.Join(chart, "values.yaml")), read(os.Args[2])),
		"Chart":   about,
		"Release": map[string]interface{}{"Name": "beckon", "Namespace": "default", "Service": "Helm"},
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		fmt.Printf("---\n# Source: %s\n", name)
		if err := all.ExecuteTemplate(os.Stdout, name, data); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println()
	}
}
