import { homedir } from 'node:os'
import { join } from 'node:path'

import { prometheusWords } from '@septet/domain'
import { plural } from '@septet/domain/words'

import { parseOptions, urlOf, UsageError } from '../options/command-options.ts'
import { foldText } from '../output/fold-text.ts'
import type { Environment } from '../served/kept-servers.ts'
import { serverToAsk } from '../served/server-to-ask.ts'
import { clusterFindings } from './cluster-findings.ts'
import type { Examined, ExamineNeeds } from './examined.ts'
import type { Symptom } from './finding.ts'
import { serverFindings } from './server-findings.ts'

const DOCTOR_HELP = `septet doctor [--server URL] [--kubeconfig FILE [--context NAME] [--prometheus URL]] [--json]

Checks everything it can reach and reports what is fine, what is not, what that means, and how to fix it. Changes
nothing.

  --server URL           a Septet server: connection, token, database and each of its clusters (default:
                         SEPTET_SERVER, else the one you last signed in to)
  --kubeconfig FILE      a cluster, without Septet: connection, permissions, GPU Operator, prices (default:
                         KUBECONFIG if no server is known)
  --context NAME         a context in it (default: the current one)
  --operator-namespace N namespace of the GPU Operator (default: gpu-operator)
  --prometheus URL       a Prometheus-compatible API with dcgm-exporter metrics; uses SEPTET_PROMETHEUS_TOKEN
                         and the other SEPTET_PROMETHEUS_ settings
  --exporter URL         a dcgm-exporter metrics URL, repeatable; overrides Prometheus
  --json                 print JSON

Exit status: 0 if nothing failed, 1 otherwise.`

export type DoctorNeeds = {
  readonly environment: Environment
  readonly now: () => number
  /** Of this program. */
  readonly version: string
  readonly examine: (needs: ExamineNeeds) => Promise<Examined>
  readonly width: number | undefined
  readonly colors: boolean
}

export type Diagnosis = { readonly text: string; readonly failed: boolean }

/** `septet doctor`: a line for each thing looked at. Throws a `UsageError`. */
export async function runDoctor(args: readonly string[], needs: DoctorNeeds): Promise<Diagnosis> {
  if (args.includes('--help')) return { text: `${DOCTOR_HELP}\n`, failed: false }
  const options = parseOptions(args, OPTIONS)
  const { environment, now } = needs
  const server = knownServer(options.server, environment)
  const kubeconfig = options.kubeconfig ?? (server === undefined ? usualKubeconfig(environment) : undefined)
  const findings = [
    ...(server === undefined ? [] : await serverFindings(server, needs)),
    ...(kubeconfig === undefined
      ? []
      : clusterFindings(
          await needs.examine({
            kubeconfig,
            context: options.context,
            operatorNamespace: options['operator-namespace'],
            prometheusUrl: urlOf('--prometheus', options.prometheus),
            engine: prometheusWords((name) => environment[`SEPTET_PROMETHEUS_${name}`]),
            exporterTargets: (options.exporter ?? []).map((url) => urlOf('--exporter', url)),
            clock: now,
          }),
        )),
  ]
  const failed = findings.some(({ state }) => state === 'fail')
  return { text: options.json ? `${JSON.stringify({ findings }, undefined, 2)}\n` : lines(findings, needs), failed }
}

const OPTIONS = {
  server: { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'operator-namespace': { type: 'string', default: 'gpu-operator' },
  prometheus: { type: 'string' },
  exporter: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

function knownServer(named: string | undefined, environment: Environment) {
  try {
    return serverToAsk(named, environment)
  } catch (error) {
    if (named === undefined && error instanceof UsageError) return undefined
    throw error
  }
}

const usualKubeconfig = ({ KUBECONFIG, HOME }: Environment): string =>
  KUBECONFIG === undefined || KUBECONFIG === '' ? join(HOME ?? homedir(), '.kube', 'config') : KUBECONFIG

const MARKS = {
  ok: '\u001B[32mok\u001B[0m  ',
  warn: '\u001B[33mwarn\u001B[0m',
  fail: '\u001B[31mfail\u001B[0m',
} as const

function lines(findings: readonly Symptom[], { width = Number.POSITIVE_INFINITY, colors }: DoctorNeeds): string {
  const told = findings.flatMap(({ area, state, said, todo }) => {
    const text = `${state.padEnd(4)}  ${area}: ${said}${todo === undefined ? '' : ` → ${todo}`}`
    const [first = '', ...more] = foldText(text, width, 6)
    return [colors ? `${MARKS[state]}${first.slice(4)}` : first, ...more]
  })
  const count = (state: Symptom['state']): number => findings.filter((finding) => finding.state === state).length
  const sum = `${plural(count('fail'), 'check')} failed, ${plural(count('warn'), 'warning')}, ${count('ok')} ok.`
  return `${[...told, '', sum].join('\n')}\n`
}
