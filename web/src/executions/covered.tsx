import { Link } from '@tanstack/react-router'

interface CoveredProps {
  /** The last execution; undefined before the first one. */
  result:
    | { id: string; codeCoverage: { componentName: string; coveragePercentage: number }[] }
    | undefined
  /** Name of the only component to show; all if absent. */
  of?: string
}

/** Line coverage of components by an execution, each a link to the lines. */
export const Covered = ({ result, of }: CoveredProps) =>
  result?.codeCoverage
    .filter(({ componentName }) => of === undefined || componentName === of)
    .map(({ componentName, coveragePercentage }) => (
      <Link
        key={componentName}
        to="/executions/$id"
        params={{ id: result.id }}
        search={{ tab: 'coverage' }}
        title={`Lines of ${componentName} that the last execution ran`}
      >
        {of === undefined ? `${componentName} ${coveragePercentage} %` : `${coveragePercentage} %`}
      </Link>
    ))
