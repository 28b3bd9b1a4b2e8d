import { describe } from '../../platform/yaml/value-words.ts'
import type { VendorReply } from '../records/reply.ts'
import { checkReply } from '../signing/reply.ts'
import type { Folder, FromFile, ReportProblem } from './folder.ts'

/** Checks that each reply is of the vendor of its tool, and signed by the key beside it. */
export function checkReplies({ replies, tools, vendors }: Folder, report: ReportProblem): void {
  for (const { path, parsed, value } of replies) {
    const slug = nameOf(path)
    const tool = tools.find((one) => nameOf(one.path) === slug)
    const vendor = vendors.find((one) => nameOf(one.path) === tool?.value.vendor)
    if (value.tool !== slug) {
      report(parsed, '/tool', `${describe(slug)}, the name of the file`, describe(value.tool))
    }
    if (!tool) report(parsed, '/tool', 'the slug of a tool', describe(slug))
    const own = vendor?.value.domain
    if (tool && own !== value.key.domain) {
      const expected = own ? `${describe(own)}, the domain of the vendor` : 'a vendor with a domain'
      report(parsed, '/key/domain', expected, describe(value.key.domain))
    }
    const checked = checkReply(value, { kty: 'OKP', crv: 'Ed25519', x: value.key.x })
    if (checked !== true) report(parsed, '/signature', 'the signature of this reply', checked)
  }
}

/** The reply to each tool by slug. */
export function repliesOf(files: ReadonlyArray<FromFile<VendorReply>>): Map<string, VendorReply> {
  return new Map(files.map(({ path, value }) => [nameOf(path), value]))
}

/** `replies/resend.json` → `resend` */
function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.[a-z]+$/, '')
}
