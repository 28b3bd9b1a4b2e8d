/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import { may } from '../../accounts/model/person.ts'
import { SafeText } from '../../pages/marked.tsx'
import { paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import type { PolicyOrigin } from '../model/policy-origin.ts'

/** Says why nothing can be changed here: policy, groups and rules come from a file. */
export function FromFile({ origin, visit }: { origin: PolicyOrigin; visit: SignedIn }) {
  const { name, at, by, because, isWatched } = origin
  const leads = may(visit.person, 'policy') && visit.url.pathname !== paths.policyFile
  return (
    <p class="notice" id="from-file">
      <Icon name="rule" />
      <span>
        This comes from the file <SafeText text={name} />, applied{by && ' by '}
        {by && <SafeText text={by} />} <Ago at={at} moment={visit.moment} />
        {because && (
          <>
            {' '}
            (“
            <SafeText text={because} />
            ”)
          </>
        )}
        . It is changed there.{' '}
        {leads && (
          <a href={paths.policyFile}>
            {isWatched ? 'Copy as YAML' : 'The file, and how to go back'}
          </a>
        )}
      </span>
    </p>
  )
}
