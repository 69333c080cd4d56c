import type { Answer } from '../../api.ts'
import { usePlace } from '../../session/place-context.ts'
import { useAnswer } from '../client/use-answer.ts'

/** What somebody may do about actions. */
export type May = {
  /** Whether they see actions, which speak of whole clusters; undefined: not known yet. */
  readonly see: boolean | undefined
  /** Propose, approve, reject, take back, and stop acting. */
  readonly decide: boolean
  /** Stop all clusters, also those that they do not see. */
  readonly stopEverywhere: boolean
  /** Lift a stop, and approve what may restart or remove a node. */
  readonly isAdmin: boolean
  /** Why they may not decide, a sentence; undefined where they may, or nobody knows yet. */
  readonly whyNot: string | undefined
}

export function useMay(): May {
  const { demo } = usePlace()
  const me = useAnswer('sessionMe', {}).data
  if (me === undefined) return NOBODY
  const whyNot = refusalOf(me, demo)
  const decide = whyNot === undefined
  return {
    see: me.namespaces === null,
    decide,
    stopEverywhere: decide && me.clusters === null,
    isAdmin: decide && me.role === 'admin',
    whyNot,
  }
}

const NOBODY: May = { see: undefined, decide: false, stopEverywhere: false, isAdmin: false, whyNot: undefined }

function refusalOf({ kind, role, namespaces }: Answer<'sessionMe'>, demo: boolean): string | undefined {
  if (demo) return 'This demo is read-only: you cannot approve actions here.'
  if (kind === 'visitor') return 'Read-only. Sign in as an operator to approve actions.'
  if (role === 'viewer') return 'Approving needs the operator role; you are a viewer. Ask an admin for it.'
  if (namespaces !== null) return 'Actions change whole nodes, so approving needs access to the whole cluster.'
  return undefined
}
