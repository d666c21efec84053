// Mercurius as a gateway, compiled by graphql-jit.
import mercuriusGateway from '@mercuriusjs/gateway'
import fastify from 'fastify'

const app = fastify()
await app.register(mercuriusGateway, {
  jit: 1,
  gateway: {
    services: JSON.parse(process.env.SERVICES),
  },
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
console.log(`ready at http://127.0.0.1:${process.env.PORT}/graphql`)
