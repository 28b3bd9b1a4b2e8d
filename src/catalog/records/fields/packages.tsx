/** @jsxImportSource preact */
import { Type } from '@sinclair/typebox'
import { cleanLine } from '../../../platform/text.ts'
import { Package, REGISTRIES } from '../tool-fields.ts'
import { closed, oneWord, patternField } from '../words.ts'
import { defineField } from './field.ts'

// In addition to the values that other catalogs use.
const MORE_REGISTRIES = ['crates', 'maven', 'nuget', 'rubygems', 'packagist', 'oci']

const PAGES: Record<string, string> = {
  npm: 'https://www.npmjs.com/package/',
  pypi: 'https://pypi.org/project/',
  go: 'https://pkg.go.dev/',
}

export const PACKAGES = defineField({
  written: {
    packages: Type.Optional(
      Type.Array(
        closed({
          registry: oneWord('Registry.', [...REGISTRIES, ...MORE_REGISTRIES]),
          name: patternField('the name of a package, without spaces or signs of the shell', {
            pattern: '^[@A-Za-z0-9._/~:-]+$',
            maxLength: 300,
            description: 'Name there.',
          }),
        }),
      ),
    ),
  },
  served: { packages: Type.Array(Package, { description: 'Where it is published.' }) },
  serve: ({ packages = [] }) => ({ packages }),
  page: {
    section: 'facts',
    place: 80,
    label: 'Packages',
    value({ packages }, { Out, wordFor }) {
      if (packages.length === 0) return undefined
      return packages.map(({ registry, name }) => {
        const base = PAGES[registry]
        return (
          <span class="package">
            <Out to={base && base + encodeURI(cleanLine(name))}>{cleanLine(name)}</Out>{' '}
            <small>{wordFor(registry)}</small>
          </span>
        )
      })
    },
  },
  row: null,
  compare: null,
  markdown: {
    place: 70,
    label: 'Packages',
    text: ({ packages }, { text, code }) =>
      packages.map(({ registry, name }) => `${text(registry)} ${code(name)}`).join(', '),
  },
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
