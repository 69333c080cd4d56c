/** Mean seconds of a pipeline stage in a /metrics text; undefined before its first turn. */
export function stageSeconds(metrics: string, stage: string): { seconds: number; turns: number } | undefined {
  const lines = metrics.split('\n').filter((line) => line.includes(`stage="${stage}"`))
  const value = (suffix: string): number =>
    Number(
      lines
        .find((line) => line.startsWith(`septet_stage_duration_seconds_${suffix}{`))
        ?.split(' ')
        .at(-1) ?? 0,
    )
  const turns = value('count')
  return turns === 0 ? undefined : { seconds: value('sum') / turns, turns }
}
