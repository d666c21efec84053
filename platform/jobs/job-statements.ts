/** SQL: the data of those jobs of a queue that have not ended. */
export const openJobs = (queue: string): string =>
  `select data from pgboss.job where name = '${queue}' and state < 'completed'`

/** SQL: the data of those jobs of a queue that a worker holds. */
export const activeJobs = (queue: string): string =>
  `select data from pgboss.job where name = '${queue}' and state = 'active'`

/** SQL: for how many seconds the oldest job that is due has waited, by queue. */
export const OLDEST_JOBS = `
  select name as queue, extract(epoch from now() - min(greatest(created_on, start_after)))::float8 as seconds
  from pgboss.job where state < 'active' and start_after <= now() group by name`
