import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  Field,
  ID,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql'
import type { Context } from '../../../platform/access/caller.ts'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { SavedViewService } from './saved-view.service.ts'

@ObjectType({ description: 'A page with its filters and order, under a name.' })
export class SavedView {
  @Field(() => ID, { description: 'Stays when the name changes.' })
  id!: string

  @Field(() => String, { description: 'Its name; each view of a user has another one.' })
  name!: string

  @Field(() => String, { description: 'Path and query of the page.' })
  address!: string

  @Field(() => Boolean, { description: 'Whether all users see it.' })
  isShared!: boolean

  @Field(() => Boolean, {
    description: 'Whether the web client starts with it for you; one of your own views at most.',
  })
  isStartPage!: boolean

  @Field(() => Boolean, { description: 'Whether you saved it.' })
  isOwn!: boolean

  @Field(() => Date, { description: 'When it was saved first.' })
  created!: Date
}

const SavedViewConnection = connectionType(() => SavedView, 'SavedView')

@InputType({ description: 'A view to save.' })
export class CreateSavedViewInput {
  @Field(() => String, { description: '1 to 100 characters.' })
  name!: string

  @Field(() => String, {
    description: 'Path and query of a page, such as `/executions?state=FAILED`.',
  })
  address!: string

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Shows it to all users; for those who may change artifacts.',
  })
  isShared!: boolean

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Starts the web client with it, in place of the former one.',
  })
  isStartPage!: boolean
}

@InputType({ description: 'Changes to a saved view; absent fields stay.' })
export class UpdateSavedViewInput {
  @Field(() => ID, { description: 'The view.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'Another name.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: 'Another page, filter or order.' })
  address?: string | null

  @Field(() => Boolean, { nullable: true, description: 'Whether all users see it.' })
  isShared?: boolean | null

  @Field(() => Boolean, { nullable: true, description: 'Whether the web client starts with it.' })
  isStartPage?: boolean | null
}

/** Saved views of pages. */
@Resolver(() => SavedView)
export class SavedViewResolver {
  constructor(private readonly service: SavedViewService) {}

  @Query(() => SavedViewConnection, {
    description: 'Your saved views and the shared ones of others, the oldest first.',
  })
  savedViews(
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
    @Ctx() { caller }: Context,
  ) {
    return this.service.page(counted(page, info), caller)
  }

  @Mutation(() => SavedView, {
    description: 'Saves a view. CONFLICT when you have one of this name.',
  })
  createSavedView(
    @Arg('input', () => CreateSavedViewInput, { description: 'The view.' })
    input: CreateSavedViewInput,
    @Ctx() { caller }: Context,
  ): Promise<SavedView> {
    return this.service.create(input, caller)
  }

  @Mutation(() => SavedView, {
    description: 'Changes an own view; administrators change shared ones of others, too.',
  })
  updateSavedView(
    @Arg('input', () => UpdateSavedViewInput, { description: 'What changes.' })
    { id, ...changes }: UpdateSavedViewInput,
    @Ctx() { caller }: Context,
  ): Promise<SavedView> {
    return this.service.change(id, changes, caller)
  }

  @Mutation(() => ID, {
    description:
      'Deletes an own view, and answers its id; administrators delete shared ones of others, too.',
  })
  async deleteSavedView(
    @Arg('id', () => ID, { description: 'Which view.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    await this.service.delete(id, caller)
    return id
  }
}
