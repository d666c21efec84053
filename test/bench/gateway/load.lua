-- Posts one body again and again, each time as the next of so many callers, and ends with its figures as JSON.
local requests = {}
local last = 0

function init()
  local body = os.getenv("BODY")
  local type = { ["Content-Type"] = "application/json" }
  for token in os.getenv("TOKENS"):gmatch("%S+") do
    local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token }
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
  if #requests == 0 then requests[1] = wrk.format("POST", nil, type, body) end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"bytes":%d,"p99":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(99) / 1e3, failed
  ))
end
