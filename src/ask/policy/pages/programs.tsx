/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { QuestionId } from '../../wire/ids.ts'
import {
  NAME_MAX,
  type OwnProgram,
  PROGRAM_KINDS,
  whyNotOwn,
} from '../../wire/reading/own-programs.ts'
import { addProgram, KIND_WORDS, removeProgram } from '../change-programs.ts'
import { KindButtons } from './add-program.tsx'

type Deps = { db: Db; clock: Clock }

/** The programs that a workspace knows: a part of the policy page. */
export function Programs({
  programs,
  visit,
  changes,
}: {
  programs: readonly OwnProgram[]
  visit: SignedIn
  changes: boolean
}) {
  const refused = visit.url.searchParams.get('program')
  const why = refused === null ? undefined : whyNotOwn(refused)
  return (
    <section class="part" id="programs">
      <h2>Programs</h2>
      <p class="soft">
        Programs that you know and Beckon does not. A command that runs one of them is read to its
        end, so that a message may have a Yes for it and a rule may allow it.
      </p>
      {why !== undefined && (
        <Problem>
          {refused} cannot be added: it {why}.
        </Problem>
      )}
      {programs.length > 0 && (
        <ul class="things">
          {programs.map((program) => (
            <ProgramCard program={program} changes={changes} />
          ))}
        </ul>
      )}
      {changes && <AddForm />}
    </section>
  )
}

function ProgramCard({ program, changes }: { program: OwnProgram; changes: boolean }) {
  return (
    <li class="thing" id={`program-${program.name}`}>
      <div>
        <p>
          <code>{program.name}</code> {KIND_WORDS[program.kind]}.
        </p>
      </div>
      {changes && (
        <form method="post" action={paths.removeProgram} class="thing-do">
          <input type="hidden" name="name" value={program.name} />
          <button type="submit" class="small bad" aria-label={`Remove ${program.name}`}>
            Remove
          </button>
        </form>
      )}
    </li>
  )
}

function AddForm() {
  return (
    <details class="add-program">
      <summary>Add a program</summary>
      <form method="post" action={paths.programs}>
        <FormField
          name="name"
          id="program-name"
          label="Its name, without a folder"
          required
          maxLength={NAME_MAX}
          autocapitalize="none"
          spellcheck={false}
        />
        <KindButtons />
      </form>
    </details>
  )
}

/** Saves a program, from the page of a question or of the policy, and goes back there. */
export async function saveProgram(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const name = formField(form, 'name').trim()
  const kind = PROGRAM_KINDS.find((one) => one === formField(form, 'kind'))
  if (!kind) throw new Failure('invalid_input', 'Choose what the program does.')
  const query = `?${new URLSearchParams({ program: name })}`
  if (whyNotOwn(name) !== undefined) return seeOther(`${paths.policy}${query}#programs`)
  await addProgram(deps, visit.person.workspaceId, { name, kind }, visit.person.id)
  const question = formField(form, 'question')
  if (/^q_\w+$/.test(question)) return seeOther(`${href.decide(question as QuestionId)}${query}`)
  return seeOther(`${paths.policy}#program-${name}`)
}

export async function submitRemoveProgram(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { workspaceId, id } = visit.person
  await removeProgram(deps, workspaceId, formField(form, 'name'), id)
  return seeOther(`${paths.policy}#programs`)
}
