-- Posts a body again and again, and ends with its figures as JSON. Either the same one, each time as the next of so many
-- callers, or a list of EVENTS copies of it, each with the next number from FIRST on in the place of #.
local requests = {}
local last = 0
local body = os.getenv("BODY")
local events = tonumber(os.getenv("EVENTS") or "0")
local first = tonumber(os.getenv("FIRST") or "0")
local fingerprints = tonumber(os.getenv("FINGERPRINTS") or "0")
local sent = 0
local pause = tonumber(os.getenv("PAUSE") or "0")

-- Time (ms) before each request of a connection: by chance, so that they do not come all at once.
if pause > 0 then
  math.randomseed(tonumber(os.getenv("SEED") or "1"))
  function delay() return math.random(0, 2 * pause) end
end

function init()
  local type = { ["Content-Type"] = "application/json" }
  for token in (os.getenv("TOKENS") or ""):gmatch("%S+") do
    local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token }
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
  if #requests == 0 then requests[1] = wrk.format("POST", nil, type, body) end
end

local function list()
  local items = {}
  for at = 1, events do
    local number = fingerprints > 0 and sent % fingerprints or first + sent
    items[at] = body:gsub("#", string.format("%d", number))
    sent = sent + 1
  end
  return "[" .. table.concat(items, ",") .. "]"
end

function request()
  if events > 0 then return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, list()) end
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
