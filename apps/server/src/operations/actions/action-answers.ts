import type { RecommendationStore, Caller, Store } from '@septet/domain'

import type { AnswersOf } from '../answering/answering.ts'
import { resumeActing, stopActing } from './acting.ts'
import {
  actionFiles,
  approveAction,
  getAction,
  listActions,
  proposeAction,
  rejectAction,
  undoAction,
} from './actions.ts'
import { proposeAppointment } from './propose-appointment.ts'

type Needs = {
  readonly store: Pick<Store, 'actions' | 'settings'>
  readonly recommendations: (caller: Caller) => RecommendationStore
  readonly now: () => number
}

/** What is carried out on a cluster, and what stops it. */
export function actionAnswers({
  store: { actions, settings },
  recommendations,
  now,
}: Needs): AnswersOf<'actions' | 'acting' | 'appointmentsPropose'> {
  const needs = (caller: Caller) => ({ actions, settings, now, recommendations: recommendations(caller) })
  return {
    actionsList: (facts, input, { caller }) => listActions(facts, needs(caller), input),
    actionsGet: (facts, input, { caller }) => getAction(facts, needs(caller), { ...input, caller }),
    actionsFiles: (facts, input, { caller }) => actionFiles(facts, needs(caller), input),
    actionsPropose: (facts, input, { caller }) => proposeAction(facts, needs(caller), { ...input, caller }),
    appointmentsPropose: (facts, input, { caller }) => proposeAppointment(facts, needs(caller), { ...input, caller }),
    actionsApprove: (facts, input, { caller }) => approveAction(facts, needs(caller), { ...input, caller }),
    actionsReject: (facts, input, { caller }) => rejectAction(facts, needs(caller), { ...input, caller }),
    actionsUndo: (facts, input, { caller }) => undoAction(facts, needs(caller), { ...input, caller }),
    actingStop: (facts, input, { caller }) => stopActing(facts, { actions, now, caller }, input),
    actingResume: (facts, input, { caller }) => resumeActing(facts, { actions, caller }, input),
  }
}
