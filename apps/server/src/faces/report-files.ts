import { OPERATIONS, REPORT_FILES, REPORT_FILES_PATH, Refusal } from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Gate } from '@septet/auth'
import type { Answers } from '../operations/answers.ts'
import { openPdfTurns } from '../report/pdf-turns.ts'
import { reportFile, type DrawPdf, type MadeFile } from '../report/report-file.ts'

const Path = z.object({ file: z.enum(REPORT_FILES) })

/** `GET /api/v1/report/files/:file`: the report, as whoever asks is answered it, as a file to keep; a PDF in turn. */
export function registerReportFiles(
  server: FastifyInstance,
  answers: Pick<Answers, 'reportGet'>,
  { gate, now, drawPdf }: { readonly gate: Gate; readonly now: () => number; readonly drawPdf: DrawPdf },
): void {
  const inTurn = openPdfTurns(now)
  server.get(`${REPORT_FILES_PATH}/:file`, async (request, reply) => {
    const caller = await gate.caller(request)
    const wanted = Path.safeParse(request.params)
    if (!wanted.success) {
      throw new Refusal(
        'not-found',
        'Reports are not available in this format.',
        `Use one of: ${REPORT_FILES.join(', ')}.`,
      )
    }
    const { file } = wanted.data
    const make = async (): Promise<MadeFile> =>
      reportFile(file, OPERATIONS.reportGet.output.parse(await answers.reportGet(request.query, caller)), drawPdf)
    const { name, type, content } = await (file === 'pdf' ? inTurn(caller, make) : make())
    return reply
      .type(type)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(content)
  })
}
