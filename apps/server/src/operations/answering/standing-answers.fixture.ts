import type { OperationKey } from '@septet/contract'
import { readManifest } from '@septet/connectors'
import type { Caller, Store } from '@septet/domain'
import type { Ask } from '@septet/tools'

import type { ClusterFacts } from '../../facts.ts'
import type { AccessService } from '../access/access-service.ts'
import type { AlertService } from '../alerts/alert-service.ts'
import { makeAnswers } from '../answers.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import type { Installation } from '../settings/settings-answers.ts'
import { ADMIN } from './admin-caller.fixture.ts'
import { askAs } from './answering.ts'

/** Asks clusters that stand still as somebody who sees all, or some namespaces alone; `heard` is told what is asked. */
export function standingAsk(
  { facts, store, now }: { readonly facts: readonly ClusterFacts[]; readonly store: Store; readonly now: () => number },
  heard: (key: OperationKey) => void,
): (namespaces?: readonly string[]) => Ask {
  const answers = makeAnswers({
    facts: { clusters: () => facts },
    store,
    now,
    record: async () => undefined,
    service: {} as AccessService,
    clusters: {} as ClusterService,
    installation: {} as Installation,
    alerts: {} as AlertService,
    readManifest,
  })
  return (namespaces) => {
    const caller: Caller = namespaces === undefined ? ADMIN : { ...ADMIN, role: 'viewer', namespaces }
    const ask = askAs(answers, caller)
    return (key, input) => {
      heard(key)
      return ask(key, input)
    }
  }
}
