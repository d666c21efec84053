"""A subgraph in Python, on Debian's python3-graphql-core. Prints its port when it serves."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLID,
    GraphQLInt,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLString,
    GraphQLUnionType,
    graphql,
)

ANY = GraphQLScalarType(
    "_Any", serialize=lambda value: value, parse_value=lambda value: value, parse_literal=lambda node: None
)


def field(of, resolver):
    return GraphQLField(of, resolver=resolver)


PRODUCT = GraphQLObjectType(
    "Product",
    lambda: {
        "id": field(GraphQLNonNull(GraphQLID), lambda product, info: product["id"]),
        "weight": field(GraphQLInt, lambda product, info: product["weight"]),
        "stock": field(GraphQLInt, lambda product, info: 10 * int(product["id"])),
        "shipping": field(GraphQLInt, lambda product, info: product["weight"] * product["price"]),
        "moved": field(GraphQLString, lambda product, info: "stock"),
        "headers": field(GraphQLString, lambda product, info: info.context),
    },
)
ENTITY = GraphQLUnionType("_Entity", [PRODUCT], resolve_type=lambda value, info: PRODUCT)
ENTITIES = GraphQLField(
    GraphQLNonNull(GraphQLList(ENTITY)),
    args={"representations": GraphQLArgument(GraphQLNonNull(GraphQLList(GraphQLNonNull(ANY))))},
    resolver=lambda root, info, representations: representations,
)
BOXED = field(PRODUCT, lambda root, info: {"id": "1", "weight": 3})
SCHEMA = GraphQLSchema(GraphQLObjectType("Query", {"_entities": ENTITIES, "boxed": BOXED}))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        context = " ".join(self.headers.get(name, "none") for name in ("x-tenant", "x-user", "x-key"))
        result = graphql(SCHEMA, request["query"], variables=request.get("variables"), context=context)
        body = json.dumps(result.to_dict()).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("x-language", "Python")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
