import { Type } from '@sinclair/typebox'
import { cleanLine } from '../../../platform/text.ts'
import { AUTHS } from '../tool-fields.ts'
import { oneWord, openWord, textField } from '../words.ts'
import { defineField } from './field.ts'

const ROW_WORDS: Record<string, string> = {
  none: 'No sign-in',
  'api-key': 'API key',
  oauth: 'OAuth',
  mixed: 'Several ways to sign in',
  unknown: 'Sign-in not known',
}

/** How callers prove who they are, with remarks; the section "Connect" of the page shows these. */
export const AUTH = defineField({
  written: {
    auth: oneWord('How callers prove who they are.', [...AUTHS, 'unknown']),
    authNotes: Type.Optional(textField('Remarks on that.')),
  },
  served: {
    auth: openWord('How callers prove who they are.', AUTHS),
    authNotes: textField('Remarks on that.'),
  },
  serve: ({ auth, authNotes = '' }) => ({ auth, authNotes }),
  page: {
    section: 'glance',
    place: 10,
    label: 'Sign-in',
    value: ({ auth }, { wordFor }) => wordFor(auth),
  },
  row: { place: 30, text: ({ auth }) => ROW_WORDS[auth] ?? `Sign-in: ${cleanLine(auth)}` },
  compare: {
    place: 80,
    label: 'Sign-in',
    value: ({ auth }, { wordFor }) => auth !== 'unknown' && wordFor(auth),
  },
  markdown: {
    place: 100,
    label: 'Credentials',
    text: ({ auth, authNotes }, { text }) =>
      authNotes === '' ? text(auth) : `${text(auth)}. ${text(authNotes)}`,
  },
  slim: {
    place: 60,
    label: 'Auth',
    text: ({ auth, authNotes }, { text }) => text(authNotes ? `${auth}; ${authNotes}` : auth),
  },
  mcp: [
    { place: 30, name: 'auth', quoted: false, value: ({ auth }, { word }) => word(auth) },
    {
      place: 60,
      name: 'authNotes',
      quoted: true,
      value: ({ authNotes }, { quote }) => quote(authNotes, 30),
    },
  ],
  imported: true,
  fromCatalogs: true,
})
