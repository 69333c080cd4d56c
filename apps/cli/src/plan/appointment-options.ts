import type { PlanGoal } from '@septet/contract'
import { parseProfileName } from '@septet/domain'

import { optionsLength, numberOf, parseOptions, UsageError } from '../options/command-options.ts'
import { anySource, displacedOf, nonEmpty, SHARED_OPTIONS, text } from './plan-options.ts'
import type { PlanEnvironment, PlanOptions } from './plan-options.ts'

export const APPOINTMENT_HELP = `septet plan appointment --cluster NAME|--snapshot FILE|--server URL --gpus 64 --at 2026-11-30T09:00Z --for 8h [--out DIR]

Plans how to have GPUs free at a given time and for how long: which nodes to set aside so that the fewest pods are
evicted and the fewest GPU-hours sit idle, when to close each node, what may still start there, and when to reopen it.
Read-only; the cluster is not changed.

Source of the cluster's state: as for septet plan (--cluster, --kubeconfig, --prometheus, --snapshot,
--server).

Goal:
  --gpus 64              number of whole GPUs, or of --profile instances
  --profile 1g.20gb      instances of this MIG profile, as GPUs are cut now
  --per-node 8           GPUs that must be on the same node; 8 for whole 8-GPU nodes (default: 1)
  --model h100           GPU model; part of the name is enough
  --pool NAME            node pool
  --namespace NAME       namespace they are for
  --except NODE          skip this node, for example because another appointment has it; repeatable
  --at TIME              when they must be free, with a time zone: 2026-11-30T09:00Z or 2026-11-30T10:00+01:00
  --for 8h               how long they must stay free (m, h, d, w)
  --longest 12h          assume no work runs longer than this (you ensure it): nodes close that long before, not right away
  --max-displaced 10     evict at most this many pods

Output:
  --out DIR              writes PLAN.md, commands.sh, evictions, plan.json, undo/ and let-in.yaml, which lets the work in
  --force                write into a non-empty directory, replacing the files of an older plan
  --json                 print JSON instead of a table`

const several = { type: 'string', multiple: true } as const

const OPTIONS = {
  ...SHARED_OPTIONS,
  gpus: text,
  profile: text,
  'per-node': { ...text, default: '1' },
  model: text,
  pool: text,
  namespace: text,
  except: several,
  at: text,
  for: text,
  longest: text,
}

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>

const GPUS = { least: 1, most: 100_000, whole: true }
const LENGTHS = { from: '5m', to: '366d' }

/** Reads the options of `septet plan appointment`. Throws a `UsageError`. */
export function readAppointmentOptions(args: readonly string[], environment: PlanEnvironment): PlanOptions {
  const values = parseOptions(args, OPTIONS)
  return {
    source: anySource(values, environment),
    wish: { goal: goalOf(values), maxDisplaced: displacedOf(values['max-displaced']), mayWait: true },
    out: nonEmpty('--out', values.out),
    force: values.force,
    format: values.json ? 'json' : 'text',
    saveSnapshot: undefined,
    explain: undefined,
  }
}

function goalOf({ profile, model, pool, namespace, longest, ...values }: Values): PlanGoal {
  return {
    kind: 'appointment',
    gpus: numberOf('--gpus', wanted('--gpus 64', values.gpus), GPUS),
    perNode: numberOf('--per-node', values['per-node'], { ...GPUS, most: 64 }),
    except: values.except ?? [],
    at: instantOf(wanted('--at 2026-11-30T09:00Z', values.at)),
    hours: hoursOf('--for', wanted('--for 8h', values.for)),
    ...(profile === undefined ? {} : { profile: profileOf(profile) }),
    ...(model === undefined ? {} : { model: nonEmpty('--model', model) ?? '' }),
    ...(pool === undefined ? {} : { pool }),
    ...(namespace === undefined ? {} : { namespace: nonEmpty('--namespace', namespace) ?? '' }),
    ...(longest === undefined ? {} : { longestHours: hoursOf('--longest', longest) }),
  }
}

const hoursOf = (option: string, value: string): number => optionsLength(option, value, LENGTHS) / 3600

function profileOf(value: string): string {
  const profile = parseProfileName(value)?.profile
  if (profile !== undefined) return profile
  throw new UsageError(`--profile is "${value}" but must be a MIG profile, such as 1g.20gb.`)
}

function wanted(example: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new UsageError(`Specify what you need: ${example}.`)
}

/** Without a zone it would mean another moment on every machine. */
function instantOf(value: string): string {
  const at = /T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/u.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isFinite(at)) return new Date(at).toISOString()
  throw new UsageError(`--at is "${value}" but must be a time with its zone, such as 2026-11-30T09:00Z.`)
}
