import type { AnswerLinkDeps } from '../../answering/answer-by-link.ts'
import { direct, leads, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showAllowed, submitRevoke } from './allowed.tsx'
import { postAnswerLink, showAnswerLink } from './answer-link.tsx'
import { answerForm, handOverForm, showDecide, showEdited, stopForm } from './decide.tsx'
import { snoozeForm } from './snooze-form.ts'
import { answerSeveral } from './together.tsx'

export function questionPages(deps: AnswerLinkDeps): Page[] {
  return pagesWith(deps, [
    own('GET', paths.decide, showDecide),
    leads(paths.answer, (id) => `/d/${id}`),
    leads(paths.stop, (id) => `/d/${id}`),
    leads(paths.handOver, (id) => `/d/${id}`),
    own('POST', paths.handOver, handOverForm),
    leads(paths.snooze, (id) => `/d/${id}`),
    own('POST', paths.snooze, snoozeForm),
    own('GET', paths.allowed, showAllowed),
    leads(paths.revokeGrant, () => paths.allowed),
    own('POST', paths.revokeGrant, submitRevoke),
    leads(paths.editScope, (id) => `/d/${id}`),
    own('POST', paths.answer, answerForm),
    own('POST', paths.editScope, showEdited),
    own('POST', paths.stop, stopForm),
    own('POST', paths.together, answerSeveral),
    direct('GET', paths.answerLink, showAnswerLink),
    direct('POST', paths.answerLink, postAnswerLink),
  ])
}
