import type { AnswerLinkDeps } from '../../answering/answer-by-link.ts'
import type { Sender } from '../../delivery/model/sender.ts'
import { type Page, pagesWith, rawPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showAllowed, submitRevoke } from './allowed.tsx'
import { postAnswerLink, showAnswerLink } from './answer-link.tsx'
import { claimForm } from './claim-form.ts'
import {
  answerForm,
  handOverForm,
  showDecide,
  showEdited,
  stopForm,
  withdrawVoteForm,
} from './decide.tsx'
import { snoozeForm } from './snooze-form.ts'
import { answerSeveral } from './together.tsx'
import { undoForm } from './undo-form.ts'
import { saveUndoSetting, showUndoSetting } from './undo-setting.tsx'

export function questionPages(deps: AnswerLinkDeps & { baseUrl: string; sender: Sender }): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.decide, showDecide),
    redirectTo(paths.answer, (id) => `/d/${id}`),
    redirectTo(paths.stop, (id) => `/d/${id}`),
    redirectTo(paths.handOver, (id) => `/d/${id}`),
    signedInPage('POST', paths.handOver, handOverForm),
    redirectTo(paths.undo, (id) => `/d/${id}`),
    signedInPage('POST', paths.undo, undoForm),
    redirectTo(paths.withdrawVote, (id) => `/d/${id}`),
    signedInPage('POST', paths.withdrawVote, withdrawVoteForm),
    redirectTo(paths.claim, (id) => `/d/${id}`),
    signedInPage('POST', paths.claim, claimForm),
    redirectTo(paths.snooze, (id) => `/d/${id}`),
    signedInPage('POST', paths.snooze, snoozeForm),
    signedInPage('GET', paths.ownUndo, showUndoSetting),
    signedInPage('POST', paths.ownUndo, saveUndoSetting),
    signedInPage('GET', paths.allowed, showAllowed),
    redirectTo(paths.revokeGrant, () => paths.allowed),
    signedInPage('POST', paths.revokeGrant, submitRevoke),
    redirectTo(paths.editScope, (id) => `/d/${id}`),
    signedInPage('POST', paths.answer, answerForm),
    signedInPage('POST', paths.editScope, showEdited),
    signedInPage('POST', paths.stop, stopForm),
    signedInPage('POST', paths.together, answerSeveral),
    rawPage('GET', paths.answerLink, showAnswerLink),
    rawPage('POST', paths.answerLink, postAnswerLink),
  ])
}
