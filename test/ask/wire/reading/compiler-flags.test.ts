import { expect, test } from 'bun:test'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'

test.each([
  'go build -ldflags "-s -w -X main.version=1.2"',
  'go build -ldflags=-w ./cmd/x',
  `go build -ldflags "-X 'main.v=1' -X=main.w=2"`,
  'go test -gcflags="all=-N -l" ./...',
  'go build -gcflags=-m',
])('options of a compiler that name no program are understood: %s', (text) => {
  expect(readCommandText(text).open).toEqual([])
})

test.each([
  'go build -ldflags "-extld=/tmp/evil -linkmode=external"',
  'go build -ldflags="-s -extld evil"',
  'go build -ldflags=-extldflags=-Wl,-plugin,x.so',
  'go build -ldflags "-s -w" -ldflags "-extld=evil"',
  'go test -gcflags "-importcfg x"',
  'go build -gcflags=all=-o=x',
  'go build -ldflags "-X"',
  'go build -ldflags "-X -extld=evil"',
  'go build -ldflags "-X=-extld=evil"',
  'go build -ldflags "$FLAGS"',
  'go build -ldflags "-X main.v=$(cat f)"',
])('options of a compiler that may name one leave a reading open: %s', (text) => {
  expect(readCommandText(text).open).not.toEqual([])
})
