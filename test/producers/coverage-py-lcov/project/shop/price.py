def price(units):
    if units < 0:
        raise ValueError("negative")
    return units * 2


def never():
    return 1
