# One image for every part; docker-compose.yml says which part a container runs.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci
COPY . .
# The commit, which the context does not have: git rev-parse --short HEAD
ARG ASSAY_REVISION
RUN npm run build

# The compiler and the tests stay behind.
FROM base AS dependencies
RUN npm ci --omit=dev && npm cache clean --force

FROM base
ENV NODE_ENV=production
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 4000
CMD ["node", "dist/gateway.js"]
