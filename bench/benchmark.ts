/** One benchmark: `npm run bench -- NAME` runs it and prints its figures beside their baselines. */
export type Benchmark = {
  readonly name: string
  /** One sentence: what is measured, on what. */
  readonly description: string
  /** Left out where no benchmark is named: it runs others again, or for half an hour. */
  readonly onDemand?: true
  /** `input`: a folder to read; `minutes`: how long one that watches over time goes on. Both as named by `--input` and `--minutes`. */
  run(options: BenchmarkOptions): Promise<readonly Figure[]>
}

export type BenchmarkOptions = { readonly input: string | undefined; readonly minutes?: number }

export type Figure = {
  readonly name: string
  readonly figure: number
  readonly unit: string
  readonly baseline?: { readonly name: string; readonly figure: number }
  /** What was aimed at, in words. */
  readonly aim?: string
  readonly seeds?: number
  readonly note?: string
}
