import { answerQuestions } from './kept-threads.ts'

const READS: Readonly<Record<string, () => unknown>> = {
  forever: () => {
    for (;;);
  },
  memory: () => {
    for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })))
  },
  flaw: () => {
    throw Object.assign(new Error('It is no kubeconfig.'), { name: 'ConnectError' })
  },
}

/** A door whose readers do what they are told. */
answerQuestions(({ given: [text = ''] }: { readonly given: readonly string[] }) => READS[text]?.() ?? `read ${text}`)
