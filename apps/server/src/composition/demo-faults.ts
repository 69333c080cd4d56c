import { readFile } from 'node:fs/promises'

import { demoFaultsList, Refusal, type InputOf, type OutputOf, type demoFaultsAdd } from '@septet/contract'

import type { DemoFaults } from '../operations/settings/demo-fault-answers.ts'
import type { DemoAddresses } from './demo-process.ts'

type List = OutputOf<typeof demoFaultsList>

/** What goes wrong in the demo cluster on demand, over its own address. */
export function openDemoFaults({ faultsUrl, actorKubeconfigPath }: DemoAddresses): DemoFaults | undefined {
  if (faultsUrl === undefined || actorKubeconfigPath === undefined) return undefined
  const ask = async (method: string, path = '', body?: unknown): Promise<unknown> => {
    // The demo writes its kubeconfig again each time it starts.
    const token = /token: (\S+)/u.exec(await readFile(actorKubeconfigPath, 'utf8'))?.[1] ?? ''
    const answer = await fetch(`${faultsUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said: unknown = await answer.json()
    if (answer.ok) return said
    throw new Refusal(
      'invalid-input',
      `The demo cluster refused that: ${messageOf(said)}`,
      'The list of faults shows what each one accepts.',
    )
  }
  const list = async (): Promise<List> => demoFaultsList.output.parse(await ask('GET'))
  return {
    list,
    add: async (fault: InputOf<typeof demoFaultsAdd>) => {
      await ask('POST', '', fault)
      return list()
    },
    remove: async (id: string) => {
      await ask('DELETE', `/${encodeURIComponent(id)}`)
      return list()
    },
  }
}

const messageOf = (said: unknown): string =>
  typeof said === 'object' && said !== null && 'message' in said ? String(said.message) : 'it gave no reason.'
