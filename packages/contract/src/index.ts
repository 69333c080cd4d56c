export {
  AUDIT_EXPORT_PATH,
  DIAGNOSTICS_PATH,
  COPILOT_STREAM_PATH,
  SIGN_IN_INFO_PATH,
  EVENTS_PATH,
  LOGIN_PAGE,
  LOGIN_REDEMPTION_PATH,
  LOGINS_PATH,
  MAY_SIGN_UP_PATH,
  MCP_PATH,
  PAGE_PASS_PATH,
  REPORT_FILES_PATH,
  SSO_PATH,
  WORKLOAD_SORTS,
} from './routes.ts'
export type { OperationKey } from './routes.ts'
export type { InputOf, Operation, OutputOf } from './operation.ts'
export type { FiguresOf, Says } from './says.ts'
export { ProblemDocumentSchema, RangeText } from './schemas/figure.ts'
export type { FigureView, ProblemDocument } from './schemas/figure.ts'
export * from './schemas/index.ts'
export { OPERATIONS } from './operations.ts'
export { ServerEventSchema, type ServerEvent } from './events.ts'
export type { SignInInfo, SsoProblemCode } from './sign-in-info.ts'
export {
  invalidInput,
  notAllowed,
  notFound,
  notReady,
  notSignedIn,
  problemDocument,
  Refusal,
  REFUSALS,
  type RefusalAdvice,
  type RefusalCode,
} from './refusal.ts'
export { htmlEscape } from './html-escape.ts'
export { refuseLargeJson, tooMuchJson } from './json-bounds.ts'
export { plainWords, wrongFields } from './wrong-fields.ts'
