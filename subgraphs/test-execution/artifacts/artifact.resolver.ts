import { type GraphQLResolveInfo, Kind } from 'graphql'
import {
  Arg,
  Args,
  type ClassType,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { selectsTotal } from '../../../platform/paging/selects-total.ts'
import type { Artifact, ArtifactKind } from './artifact.kind.ts'
import type { ArtifactInput, ArtifactService } from './artifact.service.ts'
import type { ArtifactListService, ArtifactPage } from './list/artifact-list.service.ts'
import { ListArgs } from './list/list.args.ts'
import {
  type ArtifactRevisionRepository,
  REVISIONS_KEPT,
} from './revisions/artifact-revision.repository.ts'
import { ArtifactRevision } from './revisions/artifact-revision.type.ts'

export interface ArtifactInputs {
  create: ClassType<ArtifactInput>
  update: ClassType<ArtifactInput & { id: string; revision?: number[] | null }>
}

/**
 * The GraphQL inputs that create and replace artifacts of a kind.
 * @param Attributes what a client gives besides id, name and description
 */
export function inputsOf(
  { name, typeName, idSpace }: ArtifactKind,
  Attributes: ClassType,
): ArtifactInputs {
  const id = idSpace === name ? '' : `; unique among all kinds that share addresses`

  @InputType(`Create${typeName}Input`, { description: `One ${name} to store.` })
  class CreateInput extends Attributes {
    @Field(() => ID, { nullable: true, description: `Generated (UUIDv7) when absent${id}.` })
    id?: string | null

    @Field(() => String, { description: `Unique among artifacts of this kind.` })
    name!: string

    @Field(() => String, { nullable: true, description: 'Free text.' })
    description?: string | null;

    [attribute: string]: unknown
  }

  @InputType(`Update${typeName}Input`, {
    description: `All attributes of one ${name}: those that are absent get their default.`,
  })
  class UpdateInput extends CreateInput {
    @Field(() => ID, { description: `Which ${name}.` })
    declare id: string

    @Field(() => [Int], {
      nullable: true,
      description: 'Refuses the change unless the stored revision is this one, or one of these.',
    })
    revision?: number[] | null
  }
  return { create: CreateInput, update: UpdateInput }
}

/** Services for resolvers of artifacts. */
export interface ArtifactServices {
  artifacts: ArtifactService
  lists: ArtifactListService
  revisions: ArtifactRevisionRepository
}

/** The GraphQL types of a kind. */
export interface ArtifactTypes {
  artifact: ClassType
  /** A page of a list of them. */
  connection: ClassType<ArtifactPage>
  /** Input of what a client gives besides id, name and description. */
  attributes: ClassType
}

/** The queries and mutations of a kind; its resolver extends the class and adds what the kind refers to. */
export function artifactResolver(
  kind: ArtifactKind,
  { artifact: type, connection, attributes }: ArtifactTypes,
) {
  const { name, typeName } = kind
  const field = typeName.charAt(0).toLowerCase() + typeName.slice(1)
  const inputs = inputsOf(kind, attributes)

  @Resolver(() => type)
  abstract class ArtifactResolver {
    protected readonly artifacts: ArtifactService
    protected readonly lists: ArtifactListService
    protected readonly earlier: ArtifactRevisionRepository

    constructor({ artifacts, lists, revisions }: ArtifactServices) {
      this.artifacts = artifacts
      this.lists = lists
      this.earlier = revisions
    }

    @Query(() => type, {
      name: field,
      nullable: true,
      description: `The ${name} with this id, or null.`,
    })
    one(
      @Arg('id', () => ID, { description: `Which ${name}.` }) id: string,
    ): Promise<Artifact | null> {
      return this.artifacts.find(kind, id)
    }

    @Query(() => connection, {
      name: `${field}s`,
      description: `Every ${name} that matches, a page at a time, by id unless sorted otherwise.`,
    })
    many(@Args(() => ListArgs) request: ListArgs, @Info() info: GraphQLResolveInfo): ArtifactPage {
      return this.lists.page(kind, request, selectsTotal(info))
    }

    @FieldResolver(() => [ArtifactRevision], {
      description: `What it was before its changes, the latest first; ${REVISIONS_KEPT} are kept.`,
    })
    revisions(
      @Root() { id }: Artifact,
      @Arg('first', () => Int, { defaultValue: 20, description: 'Revisions at most.' })
      first: number,
    ): Promise<ArtifactRevision[]> {
      return this.earlier.list(kind, id, Math.max(0, first))
    }

    @Mutation(() => type, {
      name: `create${typeName}`,
      description: `Stores one ${name}. CONFLICT when its id or name is taken.`,
    })
    create(
      @Arg('input', () => inputs.create, { description: 'What to store.' }) input: ArtifactInput,
    ): Promise<Artifact> {
      return this.artifacts.create(kind, { ...input })
    }

    @Mutation(() => type, {
      name: `update${typeName}`,
      description: `Replaces one ${name}. PRECONDITION_FAILED when it was changed meanwhile.`,
    })
    update(
      @Arg('input', () => inputs.update, { description: 'What it is to be.' })
      { revision, ...input }: ArtifactInput & { id: string; revision?: number[] | null },
    ): Promise<Artifact> {
      return this.artifacts.replace(kind, input.id, input, revision)
    }

    @Mutation(() => ID, {
      name: `delete${typeName}`,
      description: `Removes one ${name} and answers its id. CONFLICT while something uses it.`,
    })
    async delete(
      @Arg('id', () => ID, { description: `Which ${name}.` }) id: string,
      @Arg('revision', () => [Int], {
        nullable: true,
        description: 'Refuses unless the stored revision is this one, or one of these.',
      })
      revision?: number[] | null,
    ): Promise<string> {
      await this.artifacts.delete(kind, id, revision)
      return id
    }

    /** Artifact that an attribute names; it exists as long as the attribute names it, so its id needs no reading. */
    protected referenced(target: ArtifactKind, id: string, info: GraphQLResolveInfo) {
      return selectsOnlyIds(info) ? { id } : this.artifacts.find(target, id)
    }
  }
  return ArtifactResolver
}

const selectsOnlyIds = ({ fieldNodes }: GraphQLResolveInfo): boolean =>
  fieldNodes.every(({ selectionSet }) =>
    selectionSet?.selections.every(
      (node) => node.kind === Kind.FIELD && ['id', '__typename'].includes(node.name.value),
    ),
  )
