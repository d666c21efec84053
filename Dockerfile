# One image for every part; docker-compose.yml says which part a container runs.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The commit, which the context does not have: git rev-parse --short HEAD
ARG ASSAY_REVISION
RUN npm run build && node image.js /image

# Compiler, tests, source maps and the embedded database stay behind.
FROM base
ENV NODE_ENV=production
COPY --from=build /image .
USER node
EXPOSE 4000
CMD ["node", "dist/gateway.js"]
