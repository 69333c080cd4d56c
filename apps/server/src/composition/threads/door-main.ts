import { keptKubeconfig, offeredContexts, readManifest } from '@septet/connectors'

import type { Readers } from './door.ts'
import { answerQuestions } from './kept-threads.ts'

const READERS: Readers = { manifest: readManifest, contexts: offeredContexts, kubeconfig: keptKubeconfig }

type Question = { readonly reader: keyof Readers; readonly given: readonly never[] }
type Read = (...given: readonly never[]) => unknown

const read = (reader: Read, given: Question['given']): unknown => reader(...given)

answerQuestions(({ reader, given }: Question) => read(READERS[reader], given))
