from behave import given, then

@given('a price of {net:d}')
def price(context, net): context.net = net

@given('a price that breaks')
def breaks(context): raise KeyError('no such unit')

@then('the price is {net:d}')
def is_net(context, net): assert context.net == net, f'{context.net} is not {net}'
