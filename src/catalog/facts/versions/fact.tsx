/** @jsxImportSource preact */
import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { cleanLine } from '../../../platform/text.ts'
import { closed, day, instantField, openWord, textField } from '../../records/words.ts'
import { defineFact, type StoredValue } from '../fact.ts'
import { goProbe, npmProbe, pypiProbe, Version } from './registries.ts'

const Newest = closed({
  registry: openWord('Registry.', ['npm', 'pypi', 'go', 'github']),
  name: textField('Package.', 300),
  version: textField('Newest version.', 100),
  released: Type.Optional(day('Day of its release.')),
  seenAt: instantField('When it was first seen.'),
})
type Newest = Static<typeof Newest>

/** `version REGISTRY NAME`; the repository adds the version of its newest release. */
export const VERSIONS = defineFact({
  name: 'version',
  value: Version,
  live: { versions: Type.Array(Newest) },
  remembered: true,
  probes: (bases) => [npmProbe(bases), pypiProbe(bases), goProbe(bases)],
  read: (stored) => ({ versions: stored.flatMap(newestOf) }),
  markdown: ({ versions = [] }, { text, code }) =>
    versions.map(
      ({ registry, name, version }) => `- ${text(registry)} ${code(name)} ${text(version)}`,
    ),
  html: ({ versions = [] }, { Fact, Day, wordFor }) => (
    <>
      {versions.map(({ registry, name, version, released }) => (
        <Fact name={wordFor(registry)}>
          {cleanLine(name)} <b>{cleanLine(version)}</b>{' '}
          {released && (
            <small>
              <Day day={released} />
            </small>
          )}
        </Fact>
      ))}
    </>
  ),
})

function newestOf({ subject, value, changedAt }: StoredValue<Version>): Newest[] {
  const [, registry, name] = /^version (\S+) (\S+)$/.exec(subject) ?? []
  if (registry === undefined || name === undefined) return []
  return [{ registry, name, ...value, seenAt: isoTime(changedAt) }]
}
