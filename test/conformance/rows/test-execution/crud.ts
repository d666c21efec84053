import { inSection } from '../../row.ts'

const todo = 'REST bridge'

export const crud = inSection('TX', 'Endpoints: CRUD and list', [
  {
    id: 'TX-72',
    rule: 'POST /<resourceName> MUST create the artifact and answer 201 with Location and the artifact.',
    todo,
  },
  {
    id: 'TX-73',
    rule: 'GET /<resourceName>/{id} MUST answer 200 with the artifact and its revision as ETag, or 404.',
    todo,
  },
  {
    id: 'TX-74',
    rule: 'PUT /<resourceName>/{id} MUST replace the whole artifact and answer 200 with it, or 404.',
    todo,
  },
  {
    id: 'TX-75',
    rule: 'PUT MUST refuse a body with another id or an unknown attribute with 400, and ignore revision, created and updated.',
    todo,
  },
  {
    id: 'TX-76',
    rule: 'An If-Match that is not the present revision MUST be answered with 412 and change nothing.',
    todo,
  },
  {
    id: 'TX-77',
    rule: 'DELETE /<resourceName>/{id} MUST delete the artifact and answer 204, or 404.',
    todo,
  },
  {
    id: 'TX-78',
    rule: 'A scenario in a suite MUST NOT be deleted: 409 naming the suites.',
    todo,
  },
  {
    id: 'TX-79',
    rule: 'A suite with a schedule MUST NOT be deleted: 409 naming the schedule.',
    todo,
  },
  {
    id: 'TX-80',
    rule: 'An environment that a scenario or a component uses MUST NOT be deleted: 409 naming them.',
    todo,
  },
  {
    id: 'TX-81',
    rule: 'A component that a scenario names MUST NOT be deleted: 409 naming the scenarios.',
    todo,
  },
  {
    id: 'TX-82',
    rule: 'GET /<resourceName> MUST answer a JSON array of artifacts, with X-Total-Count and Link headers.',
    todo,
  },
  {
    id: 'TX-83',
    rule: 'GET /<resourceName>/count MUST answer the number of artifacts that match the filter, as a bare JSON number.',
    todo,
  },
  {
    id: 'TX-84',
    rule: 'Filtering, sorting and paging MUST happen on the server.',
    todo,
  },
  {
    id: 'TX-85',
    rule: 'pageNumber MUST be an integer counted from 0 (else 400); past the last page the list is empty.',
    todo,
  },
  {
    id: 'TX-86',
    rule: 'pageSize MUST be an integer from 1 to 1000 (else 400) and bound the length of the list.',
    todo,
  },
  {
    id: 'TX-87',
    rule: 'sort MUST take an attribute and optionally asc or desc behind a comma, ascending by default, ties by id.',
    todo,
  },
  {
    id: 'TX-88',
    rule: 'sort MUST allow a blank behind the comma, and several sorts by being repeated.',
    todo,
  },
  {
    id: 'TX-89',
    rule: 'A sort by an unknown attribute or in an unknown direction MUST be refused with 400 naming it.',
    todo,
  },
  {
    id: 'TX-90',
    rule: 'filter MUST be a JSON object from attribute names to values, compared exactly and case-sensitively.',
    todo,
  },
  {
    id: 'TX-91',
    rule: 'In a filter * MUST stand for any text, \\* for a star, an array for any of its values, null for an absent value.',
    todo,
  },
  {
    id: 'TX-92',
    rule: 'A nested object in a filter MUST reach the fields within an attribute.',
    todo,
  },
  {
    id: 'TX-93',
    rule: 'A filter of malformed JSON, with an unknown attribute or a wrong type MUST be refused with 400 naming it.',
    todo,
  },
  {
    id: 'TX-94',
    rule: 'Count MUST apply the filter like the list and ignore paging and sorting.',
    todo,
  },
  {
    id: 'TX-95',
    rule: 'All six operations MUST need a valid token wherever users have to sign in.',
    todo: 'access control',
  },
])
