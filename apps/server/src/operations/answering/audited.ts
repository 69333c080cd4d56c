import type { Operation } from '@septet/contract'
import type { AuditFact, Caller } from '@septet/domain'

import { isRecord } from '../../is-record.ts'

/** Adds a fact to the audit log; its time is now. */
export type RecordFact = (fact: Omit<AuditFact, 'at'>) => Promise<unknown>

/** Writes down what callers did through operations, and what they were refused. */
export type Audited = {
  done(operation: Operation, caller: Caller, input: unknown): Promise<void>
  refused(operation: Operation, caller: Caller, input: unknown): Promise<void>
}

/** The same refusal of the same caller is written once in this time: nobody can fill the log by asking again and again. */
const SAME_REFUSAL_MS = 60_000
const REFUSALS_REMEMBERED = 1000

/** Reading leaves no entry; visitors leave none either, as anybody can be one. */
export function openAudited(record: RecordFact, now: () => number): Audited {
  const lately = new Map<string, number>()
  const isNews = (key: string): boolean => {
    const last = lately.get(key)
    if (last !== undefined && now() - last < SAME_REFUSAL_MS) return false
    lately.delete(key)
    lately.set(key, now())
    for (const oldest of lately.keys()) {
      if (lately.size <= REFUSALS_REMEMBERED) break
      lately.delete(oldest)
    }
    return true
  }
  return {
    async done(operation, caller, input) {
      if (operation.effect !== 'read') await record(factOf({ operation, caller, input, outcome: 'done' }))
    },
    async refused(operation, caller, input) {
      if (caller.kind === 'visitor' || !isNews(`${caller.id} ${operation.name}`)) return
      await record(factOf({ operation, caller, input, outcome: 'refused' }))
    },
  }
}

type Asked = {
  readonly operation: Operation
  readonly caller: Caller
  readonly input: unknown
  readonly outcome: AuditFact['outcome']
}

/** What of an input names the thing that is changed, best first. */
const NAMING = ['id', 'email', 'name']
const HIDDEN = '(not written down)'
const LONGEST_DETAIL = 200

function factOf({ operation, caller, input, outcome }: Asked): Omit<AuditFact, 'at'> {
  const known = Object.keys(operation.input.shape)
  const given = Object.entries(isRecord(input) ? input : {}).filter(([name]) => known.includes(name))
  const naming = NAMING.find((name) => given.some(([each]) => each === name))
  const details: Record<string, string | number | boolean> = {}
  for (const [name, value] of given) {
    const isSecret = operation.secrets?.includes(name) === true
    if (name !== naming) Object.assign(details, { [name]: isSecret ? HIDDEN : detailOf(value) })
  }
  const object = given.find(([name]) => name === naming)?.[1]
  return {
    actor: caller.name,
    action: operation.name,
    object: typeof object === 'string' ? object.slice(0, LONGEST_DETAIL) : '',
    outcome,
    ip: caller.ip,
    details,
  }
}

function detailOf(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, LONGEST_DETAIL)
}
