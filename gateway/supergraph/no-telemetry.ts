/** Imported before @apollo/gateway, which reports its use to its maker unless told not to. */
process.env.APOLLO_TELEMETRY_DISABLED = '1'
