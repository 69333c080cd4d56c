import type { RecommendationStore, Caller, Store } from '@septet/domain'

import type { Answering } from '../answering/answering.ts'
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
export function actionAnswers(answer: Answering, { store: { actions, settings }, recommendations, now }: Needs) {
  const needs = (caller: Caller) => ({ actions, settings, now, recommendations: recommendations(caller) })
  return {
    actionsList: answer.ofCluster('actionsList', (cluster, input, { caller }) =>
      listActions(cluster, needs(caller), input),
    ),
    actionsGet: answer.ofCluster('actionsGet', (cluster, input, { caller }) =>
      getAction(cluster, needs(caller), { ...input, caller }),
    ),
    actionsFiles: answer.ofCluster('actionsFiles', (cluster, input, { caller }) =>
      actionFiles(cluster, needs(caller), input),
    ),
    actionsPropose: answer.ofCluster('actionsPropose', (cluster, input, { caller }) =>
      proposeAction(cluster, needs(caller), { ...input, caller }),
    ),
    appointmentsPropose: answer.ofCluster('appointmentsPropose', (cluster, input, { caller }) =>
      proposeAppointment(cluster, needs(caller), { ...input, caller }),
    ),
    actionsApprove: answer.ofCluster('actionsApprove', (cluster, input, { caller }) =>
      approveAction(cluster, needs(caller), { ...input, caller }),
    ),
    actionsReject: answer.ofCluster('actionsReject', (cluster, input, { caller }) =>
      rejectAction(cluster, needs(caller), { ...input, caller }),
    ),
    actionsUndo: answer.ofCluster('actionsUndo', (cluster, input, { caller }) =>
      undoAction(cluster, needs(caller), { ...input, caller }),
    ),
    actingStop: answer.ofCluster('actingStop', (cluster, input, { caller }) =>
      stopActing(cluster, { actions, now, caller }, input),
    ),
    actingResume: answer.ofCluster('actingResume', (cluster, input, { caller }) =>
      resumeActing(cluster, { actions, caller }, input),
    ),
  }
}
