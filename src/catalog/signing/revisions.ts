import { type Static, Type } from '@sinclair/typebox'
import { Meta } from '../records/meta.ts'
import { closed, countField, instantField, textField } from '../records/words.ts'

const paths = (description: string) => Type.Array(Type.String({ maxLength: 500 }), { description })

/** `/api/v1/revisions.json`: what each manifest changed, oldest first. */
export const RevisionsDocument = closed(
  {
    meta: Meta,
    sequence: countField('Of the manifest that is served.'),
    revisions: Type.Array(
      closed({
        sequence: countField('Of the manifest.'),
        revision: textField('Of the publish; empty before the first.', 128),
        issuedAt: instantField('When it was signed.'),
        changed: paths('Files that are new or have other bytes.'),
        removed: paths('Removed files.'),
      }),
    ),
  },
  'What each manifest changed.',
)
export type RevisionsDocument = Static<typeof RevisionsDocument>
