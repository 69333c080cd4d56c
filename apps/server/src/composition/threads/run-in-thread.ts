import { parentPort, Worker, workerData } from 'node:worker_threads'

/** A program for a thread, and what it may take. */
export type ThreadProgram = {
  readonly code: URL
  readonly name: string
  /** A heap that grows past it ends this thread and not the process, MiB. */
  readonly heapMib: number
  readonly limit?: { readonly milliseconds: number; readonly words: string }
}

export type RunningThread<Answer> = {
  /** Rejects with what the thread died of, also when it was cancelled or took too long. */
  readonly answer: Promise<Answer>
  /** Ends it at once. */
  cancel(): void
}

/** How far it is, as two numbers that mean what the program says. */
export type Progress = (done: number, of: number) => void

type Told<Answer> =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'done'; readonly answer: Answer }

const TELL_MS = 200

/** Puts one question to a thread of its own, which ends with its answer: nobody else waits for it. */
export function runInThread<Answer>(
  { code, name, heapMib, limit }: ThreadProgram,
  question: unknown,
  progress: Progress = () => undefined,
): RunningThread<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const worker = new Worker(code, { name, workerData: question, resourceLimits: { maxOldGenerationSizeMb: heapMib } })
  const late = limit === undefined ? undefined : setTimeout(() => end(limit.words), limit.milliseconds).unref()
  const end = (because: string): void => {
    reject(new Error(because))
    void worker.terminate()
  }
  worker.unref()
  worker.on('message', (told: Told<Answer>) => {
    if (told.kind === 'progress') progress(told.done, told.of)
    else resolve(told.answer)
  })
  worker.once('error', reject)
  worker.once('exit', () => {
    clearTimeout(late)
    reject(new Error(`The thread ${name} was stopped before it was done.`))
  })
  return { answer: promise, cancel: () => end(`The ${name} was stopped before it was done.`) }
}

type Compute<Question, Answer> = (question: Question, progress: Progress) => Answer | Promise<Answer>

/** The other side: answers what this thread was made for. What it throws ends the thread, and is what the asker hears. */
export async function answerInThread<Question, Answer>(compute: Compute<Question, Answer>): Promise<void> {
  if (parentPort === null) return
  const port = parentPort
  const tell = (told: Told<Answer>): void => port.postMessage(told)
  let last = performance.now()
  const answer = await compute(workerData, (done, of) => {
    if (performance.now() - last < TELL_MS) return
    last = performance.now()
    tell({ kind: 'progress', done, of })
  })
  tell({ kind: 'done', answer })
}
