import { createHash } from 'node:crypto'

import type { GpuContainer, WorkMarks } from '@septet/domain'
import { z } from 'zod'

import { intern } from './intern.ts'
import { lenient, lenientList } from './schemas.ts'

/** What starts a container. Arguments and values may hold secrets: nothing of them leaves this file but digests and model names. */
export const StartedContainer = z.object({
  image: lenient(z.string()),
  command: lenientList(z.string()),
  args: lenientList(z.string()),
  env: lenientList(z.object({ name: z.string(), value: lenient(z.string()) })),
})
type StartedContainer = z.infer<typeof StartedContainer>

/** By what a pod's work is known again: of its containers with GPUs, or of all where none asks for any (DRA). */
export function workMarks(containers: readonly StartedContainer[], gpus: readonly GpuContainer[]): WorkMarks {
  const own = containers.filter((_, order) => gpus.some(({ list, index }) => list === 'containers' && index === order))
  return intern(marksOf(own.length > 0 ? own : containers))
}

const marksOf = (containers: readonly StartedContainer[]): WorkMarks => ({
  images: distinct(containers.flatMap(({ image }) => (image === undefined ? [] : [imageName(image)]))),
  starts: distinct(containers.flatMap((each) => startOf(each) ?? [])),
  models: distinct(containers.flatMap((each) => modelOf(each) ?? [])),
})

/** A workload's pods are made alike; more than these tell nothing. */
const MOST = 8

/** What all pods of a workload carry together. */
export function joinedMarks(all: readonly WorkMarks[]): WorkMarks {
  const [first = marksOf([])] = all
  if (all.every((marks) => marks === first)) return first
  return intern({
    images: distinct(all.flatMap(({ images }) => images)),
    starts: distinct(all.flatMap(({ starts }) => starts)),
    models: distinct(all.flatMap(({ models }) => models)),
  })
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted().slice(0, MOST)

/** `registry:5000/team/app:v2@sha256:…` → `team/app`: mirrors and new versions run the same work. */
function imageName(image: string): string {
  const [path = ''] = image.split('@', 1)
  const parts = path.split('/')
  const last = (parts.pop() ?? '').replace(/:.*$/u, '')
  const above = parts.filter((part, order) => order > 0 || !/[.:]|^localhost$/u.test(part))
  return [...above.slice(-1), last].join('/').slice(0, 253)
}

/** Two starts differ by these whatever work it is, or because they hold a secret. */
const TELLS_NOTHING =
  /^-{1,2}(?:port|host|served[-_]model[-_]name|(?:run|job|experiment|exp)[-_]name|(?:output|log|logging|checkpoint|save)[-_](?:dir|path)|resume\S*|\S*(?:key|token|secret|password))$/u

/** A digest too short to find what was written again; values of arguments that name a secret are not even in it. */
function startOf({ command, args }: StartedContainer): string | undefined {
  const told = pairsOf([...command, ...args]).filter(({ flag }) => !TELLS_NOTHING.test(flag ?? ''))
  if (told.length === 0) return undefined
  const text = JSON.stringify(told.map(({ flag, value }) => [flag, value]))
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

type Pair = { readonly flag: string | undefined; readonly value: string | undefined }

/** `--flag=value`, `--flag value` and words that stand alone, in their order; a shell's script is one word. */
function pairsOf(words: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [flag = '', ...value] = word.split('=')
    const next = words[at + 1]
    if (!word.startsWith('-')) pairs.push({ flag: undefined, value: word })
    else if (value.length > 0) pairs.push({ flag, value: value.join('=') })
    else if (next === undefined || next.startsWith('-')) pairs.push({ flag, value: undefined })
    else {
      pairs.push({ flag, value: next })
      at += 1
    }
  }
  return pairs
}

/** As vLLM, SGLang, TGI, TensorRT-LLM, Triton's and Hugging Face's own programs call it. */
const MODEL_FLAG = /^--(?:model|model[-_](?:id|path|name|name[-_]or[-_]path|repository|repo)|pretrained[-_]model\S*)$/u
const MODEL_VARIABLE = /^(?:HF_)?MODEL(?:_(?:ID|NAME|PATH|REPOSITORY|REPO))?$/u

function modelOf({ command, args, env }: StartedContainer): string | undefined {
  const words = [...command, ...args].flatMap((word) => (/\s/u.test(word) ? word.split(/\s+/u) : [word]))
  const pairs = pairsOf(words)
  const served = pairs.findIndex(({ value }) => value === 'serve')
  const named =
    pairs.find(({ flag }) => MODEL_FLAG.test(flag ?? ''))?.value ??
    (served < 0 ? undefined : pairs[served + 1]?.value) ??
    env.find(({ name }) => MODEL_VARIABLE.test(name))?.value
  return named === undefined ? undefined : modelName(named)
}

/** A model by its own name, wherever its files lie: `/models/Llama-3-8B/` and `meta-llama/Llama-3-8B` are one. */
function modelName(named: string): string | undefined {
  const last = named.replace(/\/+$/u, '').split('/').at(-1) ?? ''
  // What is mounted at a common place says nothing.
  return /^(?:models?|mnt|data|latest|current|weights|checkpoint|final|\d*|.*[$\s].*)$/u.test(last.toLowerCase())
    ? undefined
    : last.slice(0, 253)
}
