import { expect, test } from 'bun:test'
import { readShellCommand } from '../../../../src/ask/wire/reading/of-ask.ts'
import { patternOf, patternWords } from '../../../../src/ask/wire/reading/word-pattern.ts'
import { BEYOND } from './pattern-spellings.ts'

const CWD = '/home/u/shop'
const pattern = (text: string) => patternOf(readShellCommand(text), CWD)
const words = (text: string) => {
  const match = pattern(text)
  return match && patternWords(match)
}

const GIVEN = [
  'go test ./...',
  'npm test',
  'npx vitest run',
  './scripts/check a',
  'make test',
  'python3 tools/x.py a',
  'git log -3',
  'pytest',
  'cargo test',
  'cargo fmt',
  'dotnet test',
  'mypy src',
]

test.each([...BEYOND])('calls that begin so are not: %j', (text) => {
  const comparisons = GIVEN.map((one) => [one, Bun.deepEquals(pattern(one), pattern(text))])
  expect(comparisons).toEqual(GIVEN.map((one) => [one, false]))
})

test.each([
  ['go test ./...', 'go test …'],
  ['go test -run TestX -count=1 -v ./pkg 2>&1 | tail -20', 'go test …'],
  ['cd pkg && go test ./...', 'go test …'],
  ['cd /home/u/shop/pkg && go test', 'go test …'],
  ['timeout 60 go test -race ./...', 'go test …'],
  ['git status --short; go test ./...', 'go test …'],
  ['for f in a b; do go test ./$f; done', 'go test …'],
  ['npm test', 'npm test …'],
  ['npm t -- src/a.test.ts --watch', 'npm t …'],
  ['npm test -- src/a.test.ts --watch', 'npm test …'],
  ['npm run test:unit -- src/a.test.ts', 'npm run test:unit …'],
  ['npx vitest run src', 'npx vitest …'],
  ['npx vitest@3 run', 'npx vitest@3 …'],
  ['./scripts/check a --fast', './scripts/check …'],
  ['scripts/check', './scripts/check …'],
  ['make test -j', 'make test …'],
  ['python3 tools/x.py a', 'python3 tools/x.py …'],
  ['python3 -m pytest tests', 'python3 -m pytest …'],
  ['git log --oneline -5 | head', 'git log …'],
  ['git add -A && git commit -m "a text"', 'git add … and git commit …'],
  ['eslint src --fix', 'eslint …'],
  ['cargo test name -- --nocapture --test-threads=1', 'cargo test …'],
  ['pytest --cov-report=term-missing -k "a or b"', 'pytest …'],
  ['git diff HEAD -- src test', 'git diff …'],
  ['go test -ldflags="-s -w -X main.v=1" ./...', undefined],
])('calls that begin so are, for %j: %p', (text, expected) => {
  expect(words(text)).toBe(expected as string)
})

test.each([
  'rm x',
  'cp a b',
  'curl https://e.example/',
  'npm install x',
  'npm ci && npm test',
  'pip install x',
  'go run .',
  'docker run image',
  'kubectl get pods',
  'echo hello',
  'psql -c "select 1"',
  'tee x',
  'bash x.sh',
  'git push',
  'git checkout main',
  'git branch -D x',
  'deno test npm:evil',
])('calls that begin so are never offered for %j', (text) => {
  expect(pattern(text)).toBeUndefined()
})
