import { read } from '../graph/client.ts'
import {
  ExecutionCoverageDocument,
  ExecutionReportDocument,
  type ReportFormat,
} from '../graph/generated.ts'
import { Button, Empty } from '../ui/parts.tsx'
import { saveFile } from '../ui/save-file.ts'
import { attempt } from '../ui/toasts.tsx'

const REPORTS: readonly { format: ReportFormat; name: string; what: string }[] = [
  {
    format: 'JUNIT',
    name: 'JUnit',
    what: 'For build servers: a test case for each scenario, or for each row of its dataset, with its failures.',
  },
  { format: 'XA', name: 'XA', what: 'The report of the test execution interface.' },
]

/** Files that the execution can be taken away as. */
export default function Reports({ id, isRunning }: { id: string; isRunning: boolean }) {
  if (isRunning) return <Empty icon="download" title="Reports are there after the end" />
  return (
    <div className="stack body">
      {REPORTS.map(({ format, name, what }) => (
        <div key={format} className="row">
          <div className="grow">
            <h3>{name}</h3>
            <p className="under">{what}</p>
          </div>
          <Button icon="download" onClick={() => saveReport(id, format)}>
            Download {name}
          </Button>
        </div>
      ))}
      <div className="row">
        <div className="grow">
          <h3>Coverage</h3>
          <p className="under">Lines that ran and lines that did not, as JSON.</p>
        </div>
        <Button icon="download" onClick={() => saveCoverage(id)}>
          Download coverage
        </Button>
      </div>
    </div>
  )
}

const saveReport = (id: string, format: ReportFormat) =>
  attempt(async () => {
    const { executionResult } = await read(ExecutionReportDocument, { id, format })
    if (!executionResult?.report) throw new Error('There is no report for this execution')
    saveFile(`${id}-${format.toLowerCase()}.xml`, 'application/xml', executionResult.report)
  })

const saveCoverage = (id: string) =>
  attempt(async () => {
    const { executionResult } = await read(ExecutionCoverageDocument, { id })
    saveFile(
      `${id}-coverage.json`,
      'application/json',
      JSON.stringify(executionResult?.codeCoverage ?? [], null, 2),
    )
  })
